// The channels of an I/O system's files, and the agreement of all ranks before a channel is replaced.
// Collective in order unless stated otherwise; one thread.
#pragma once

#include <cstdint>
#include <memory>

#include "async/executor.h"
#include "async/progress_thread.h"
#include "comm/group.h"
#include "exchange/channel_pool.h"
#include "exchange/file_channel.h"
#include "exchange/link/link.h"
#include "observe/backlog.h"
#include "observe/event_log.h"
#include "session/iosystem/workers.h"

namespace scorpio::session {

class Channels final : public async::Advancing {
 public:
  // All outlive this.
  struct Ground {
    const comm::Group& comm;
    exchange::ChannelContext context;  // with staging
    async::Executor& executor;
    Workers& workers;  // on I/O ranks: one writes while no call is made, for files with option asynchronous
    observe::EventLog& events;
    int files = 0;                        // the limit of ChannelPool
    observe::Backlog* backlog = nullptr;  // as in BackgroundIo
  };
  explicit Channels(const Ground& ground);

  // Gives staging memory to one more file; Collective in order. Files for which none is left share one
  // channel (`lease().shared`). `number` is that of the file, the same on all ranks. `background`: its data
  // are written while no call is made; a shared channel follows the options of the I/O system.
  std::unique_ptr<exchange::FileChannel> open(uint64_t number, bool background);
  // Must have succeeded on all ranks before data of a file with `background` are put, because the schedule of
  // slots depends on it. Local.
  Status start_worker() { return workers_.start(); }
  // `complete`: all ranks have agreed that they made the same puts, and all data are written. Otherwise slots
  // may still wait for data that no rank will put.
  void close(std::unique_ptr<exchange::FileChannel> channel, bool complete);
  // Is called after all ranks have agreed that the channel failed, or that their calls on it differ. A shared
  // channel becomes usable again, and so does one that has lost no data. A channel of a single file stays
  // failed, but no message remains under way. Collective.
  Status recover(exchange::FileChannel& channel, exchange::Loss loss);

  // Whether the next file gets a channel of its own.
  bool has_room() const { return pool_.has_room(); }
  void pass_on() { pool_.pass_on(); }  // Independent
  // What crosses between nodes, for a progress thread. Independent.
  bool advance() noexcept override { return pool_.pass_between_nodes(); }
  bool under_way() const noexcept override { return pool_.cross_nodes(); }
  int open_files() const { return open_files_; }

 private:
  const comm::Group& comm_;
  observe::EventLog& events_;
  Workers& workers_;
  exchange::ChannelPool pool_;
  int open_files_ = 0;
};

}  // namespace scorpio::session
