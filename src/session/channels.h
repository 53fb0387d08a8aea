// The channels of an I/O system's files, made over its staging memory. Collective in order where not said
// otherwise; one thread.
#pragma once

#include <cstdint>
#include <memory>

#include "async/executor.h"
#include "comm/group.h"
#include "exchange/file_channel.h"
#include "exchange/link.h"
#include "observe/event_log.h"

namespace scorpio::session {

class Channels {
 public:
  // All outlive this.
  struct Ground {
    const comm::Group& comm;
    exchange::Fabric fabric;  // with staging
    async::Executor& executor;
    observe::EventLog& events;
    int files =
        0;  // that have a channel of their own; 0: as many as the staging memory gives half of the rest
  };
  explicit Channels(const Ground& ground) : ground_(ground) {}

  // As System::open_channel, close_channel and recover.
  std::unique_ptr<exchange::FileChannel> open(uint64_t number);
  void close(std::unique_ptr<exchange::FileChannel> channel, bool complete);
  Status recover(exchange::FileChannel& channel, exchange::Loss loss);

  int open_files() const { return open_files_; }

 private:
  std::unique_ptr<exchange::Channel> make(const exchange::Lease& lease);
  bool leads() const { return ground_.fabric.nodes->my_local_rank == 0; }

  Ground ground_;
  std::weak_ptr<exchange::ChannelHolder> shared_;  // of all files that came when the staging was used up
  int open_files_ = 0;
};

}  // namespace scorpio::session
