#include "session/channels.h"

#include "exchange/staging.h"
#include "transfer/slot_io.h"

namespace scorpio::session {

std::unique_ptr<exchange::Channel> Channels::make(const exchange::Lease& lease) {
  auto io =
      std::make_unique<transfer::SlotIo>(lease.slots.size(), ground_.executor, *ground_.fabric.counters);
  return std::make_unique<exchange::Channel>(ground_.fabric, lease, std::move(io));
}

std::unique_ptr<exchange::FileChannel> Channels::open(uint64_t number) {
  ++open_files_;
  const exchange::Lease lease = ground_.fabric.staging->lend(ground_.files);
  std::shared_ptr<exchange::ChannelHolder> holder = lease.shared ? shared_.lock() : nullptr;
  if (holder == nullptr) {
    if (leads()) ground_.fabric.staging->reset(lease);
    holder = std::make_shared<exchange::ChannelHolder>();
    holder->channel = make(lease);
    if (lease.shared) {
      shared_ = holder;
      ground_.events.add(
          "staging_bytes is used up by open files: further files share one slot and wait for each other");
    }
  }
  return std::make_unique<exchange::FileChannel>(std::move(holder), number);
}

Status Channels::recover(exchange::FileChannel& channel, exchange::Loss loss) {
  SCORPIO_TRY(ground_.comm.parted());  // the others do not come
  SCORPIO_TRY(channel.drain());
  const exchange::Lease lease = channel.lease();
  if (!lease.shared && loss == exchange::Loss::some) return {};
  SCORPIO_TRY(ground_.comm.barrier());  // no rank of the node is in it any more
  if (leads()) {
    ground_.fabric.staging->clear_slots(lease);
    ground_.fabric.staging->reset(lease);
  }
  channel.replace(make(lease), loss);
  return ground_.comm.barrier();  // no rank enters it before
}

void Channels::close(std::unique_ptr<exchange::FileChannel> channel, bool complete) {
  --open_files_;
  const exchange::Lease lease = channel->lease();
  // Another rank may come so late that the leader has opened the next file in this place.
  if (leads() && channel->alone() && (channel->failed() || !complete))
    ground_.fabric.staging->clear_slots(lease);
  ground_.fabric.staging->take_back(lease);
}

}  // namespace scorpio::session
