// An I/O system whose ranks are threads: files in memory, nodes that are blocks of memory, no MPI. What a
// file and its parts need of an I/O system, for tests of them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/inline_executor.h"
#include "exchange/link/stall_watch.h"
#include "exchange/memory/staging.h"
#include "exchange/memory_messages.h"
#include "session/iosystem/channels.h"
#include "session/iosystem/completions.h"
#include "session/iosystem/decomposition.h"
#include "session/iosystem/posted_files.h"
#include "session/iosystem/system.h"
#include "session/iosystem/workers.h"
#include "session/thread_group.h"

namespace scorpio::test {

struct JobShape {
  int ranks = 1;
  int nodes = 1;     // of consecutive ranks
  int io_ranks = 1;  // the first of them
  OptionSet options = {};
  int staging_files = 0;  // as option staging_files
  uint64_t unit_bytes = 4096;
  bool writer = true;  // I/O ranks have a thread beside the worker, which writes what that has encoded
};

class ThreadSystem;

// What the threads share.
class ThreadJob {
 public:
  explicit ThreadJob(const JobShape& shape);

  const JobShape& shape() const { return shape_; }
  // Runs `body` on every rank, a thread each, with a system of its own; returns when all have returned.
  void run(const std::function<void(ThreadSystem&)>& body);
  storage::Store& store() { return *store_; }
  // In place of the store in memory, before run(): for instance one that fails.
  void set_store(std::unique_ptr<storage::Store> store) { store_ = std::move(store); }

 private:
  friend class ThreadSystem;
  struct alignas(4096) Page {
    std::byte bytes[4096];
  };
  JobShape shape_;
  exchange::StagingSizes sizes_;
  std::vector<int> io_ranks_;
  std::vector<comm::NodeMap> maps_;        // [ranks]
  std::vector<std::vector<Page>> memory_;  // [nodes]
  MeetingPlace place_;
  Post data_, calls_;
  std::unique_ptr<storage::Store> store_;
};

class ThreadSystem final : public session::System {
 public:
  ThreadSystem(ThreadJob& job, int rank);

  const ThreadGroup& comm() const override { return comm_; }
  const comm::NodeMap& nodes() const override { return nodes_; }
  const std::vector<int>& io_ranks() const override { return job_.io_ranks_; }
  int my_owner() const override { return context_.owner_of_rank(comm_.rank()); }
  uint64_t identity() const override { return 1; }
  Result<Options> file_options(const std::string& path, const OptionSet& file_options) const override;
  storage::Store& store() override { return *job_.store_; }
  session::Records& records() override { return records_; }
  session::PostedFiles& posted_files() override { return posted_files_; }
  std::shared_ptr<session::Completions> completions() const override { return completions_; }
  uint64_t next_number() override { return ++numbers_; }
  plan::DomainRule domain_rule(uint64_t block_bytes) const override;
  async::Executor* worker() override { return workers_->worker(); }
  async::Executor* writer() override { return job_.shape_.writer ? workers_->writer() : nullptr; }
  session::Channels& channels() override { return *channels_; }

  int rank() const { return comm_.rank(); }
  // The rows [first, first + count) of an array of `dims` that are this rank's, of equal shares. Collective.
  std::unique_ptr<session::Decomposition> rows(const std::vector<int64_t>& dims);

 private:
  ThreadJob& job_;
  const comm::NodeMap& nodes_;
  ThreadGroup comm_;
  MemoryMessages data_;
  MemoryMessages calls_;  // of the watch, which asks other ranks for the call that they are in
  Options options_;
  session::Records records_;
  std::unique_ptr<exchange::Staging> staging_;
  std::optional<exchange::StallWatch> watch_;
  exchange::ChannelContext context_;
  std::optional<async::InlineExecutor> executor_;
  std::optional<session::Workers> workers_;
  std::optional<session::Channels> channels_;
  uint64_t numbers_ = 0;
  session::PostedFiles posted_files_{*this};
  std::shared_ptr<session::Completions> completions_ = std::make_shared<session::Completions>();
};

}  // namespace scorpio::test
