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

namespace scorpio::session {

class Channels final : public async::Advancing {
 public:
  // All outlive this.
  struct Ground {
    const comm::Group& comm;
    exchange::ChannelContext context;  // with staging
    async::Executor& executor;
    async::Executor* worker =
        nullptr;  // on I/O ranks: writes while no call is made, for files with option asynchronous
    observe::EventLog& events;
    int files = 0;                        // the limit of ChannelPool
    observe::Backlog* backlog = nullptr;  // as in BackgroundIo
  };
  explicit Channels(const Ground& ground);

  // As System::open_channel, close_channel and recover.
  std::unique_ptr<exchange::FileChannel> open(uint64_t number, bool background);
  void close(std::unique_ptr<exchange::FileChannel> channel, bool complete);
  Status recover(exchange::FileChannel& channel, exchange::Loss loss);

  // As System::has_room().
  bool has_room() const { return pool_.has_room(); }
  void pass_on() { pool_.pass_on(); }  // Independent
  // What crosses between nodes, for a progress thread. Independent.
  bool advance() noexcept override { return pool_.pass_between_nodes(); }
  bool under_way() const noexcept override { return pool_.cross_nodes(); }
  int open_files() const { return open_files_; }

 private:
  const comm::Group& comm_;
  observe::EventLog& events_;
  exchange::ChannelPool pool_;
  int open_files_ = 0;
};

}  // namespace scorpio::session
