#include "session/iosystem/channels.h"

#include <utility>

#include "base/guarded.h"
#include "transfer/background_io.h"
#include "transfer/slot_io.h"

namespace scorpio::session {

Channels::Channels(const Ground& ground)
    : comm_(ground.comm),
      events_(ground.events),
      workers_(ground.workers),
      pool_(
          ground.context,
          [&executor = ground.executor, worker = ground.workers.executor(), backlog = ground.backlog,
           &counters = *ground.context.counters](size_t slots, size_t part,
                                                 bool background) -> std::unique_ptr<exchange::IoPhase> {
            if (background && worker != nullptr)
              return std::make_unique<transfer::BackgroundIo>(slots, part, *worker, counters, backlog);
            return std::make_unique<transfer::SlotIo>(slots, executor, counters);
          },
          ground.files) {}

std::unique_ptr<exchange::FileChannel> Channels::open(uint64_t number, bool background) {
  auto channel = pool_.open(number, background);
  if (channel->lease().shared && channel->alone()) {
    (void)guarded([&] {
      events_.add(
          "staging_bytes is used up by open files: further files share one slot and wait for each other");
      return Status();
    });
  }
  ++open_files_;
  return channel;
}

Status Channels::recover(exchange::FileChannel& channel, exchange::Loss loss) {
  SCORPIO_TRY(comm_.parted());  // ranks are in different calls, and not all reach this one
  SCORPIO_TRY(channel.now().drain());
  if (!channel.lease().shared && loss == exchange::Loss::some) return {};
  SCORPIO_TRY(comm_.barrier());  // no rank of the node uses the channel any more
  pool_.replace(channel, loss);
  return comm_.barrier();  // no rank uses the channel before
}

void Channels::close(std::unique_ptr<exchange::FileChannel> channel, bool complete) {
  --open_files_;
  pool_.close(std::move(channel), complete);
}

}  // namespace scorpio::session
