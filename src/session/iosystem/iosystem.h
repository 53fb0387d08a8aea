// A communicator with its I/O ranks and their staging memory, which the files of a component share.
// Collective where stated; one thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "async/inline_executor.h"
#include "base/options.h"
#include "comm/communicator.h"
#include "comm/node_map.h"
#include "exchange/file_channel.h"
#include "exchange/link/stall_watch.h"
#include "session/iosystem/agreed_options.h"
#include "session/iosystem/arrangement.h"
#include "session/iosystem/between_nodes.h"
#include "session/iosystem/channels.h"
#include "session/iosystem/completions.h"
#include "session/iosystem/failure_messages.h"
#include "session/iosystem/node_memory.h"
#include "session/iosystem/posted_files.h"
#include "session/iosystem/recording.h"
#include "session/iosystem/system.h"
#include "session/iosystem/workers.h"
#include "storage/store.h"

namespace scorpio::session {

class IoSystem final : public System {
 public:
  // Collective over comm; returns the same status on all ranks. `arguments` is the failure of this rank's
  // other arguments.
  static Result<std::unique_ptr<IoSystem>> create(MPI_Comm comm, const OptionSet& options,
                                                  const Status& arguments = {});
  ~IoSystem() override;
  IoSystem(const IoSystem&) = delete;
  IoSystem& operator=(const IoSystem&) = delete;
  // Collective. Code::state on all ranks if files are open on some rank. If ranks were in different calls,
  // each of them releases its own part, and the failure says so.
  Status close();
  bool closed() const { return !memory_.made(); }

  const comm::Communicator& comm() const override { return comm_; }
  const comm::NodeMap& nodes() const override { return nodes_; }
  const std::vector<int>& io_ranks() const override { return io_ranks_; }
  int my_owner() const override { return my_owner_; }
  uint64_t identity() const override { return identity_; }
  Result<Options> file_options(const std::string& path, const OptionSet& file_options) const override;
  storage::Store& store() override { return *store_; }
  Records& records() override { return recording_.records(); }
  const Records& records() const { return recording_.records(); }
  PostedFiles& posted_files() override { return posted_files_; }
  const PostedFiles& posted_files() const { return posted_files_; }
  std::shared_ptr<Completions> completions() const override { return completions_; }
  uint64_t next_number() override { return numbers_++; }
  plan::DomainRule domain_rule(uint64_t block_bytes) const override;
  async::Executor* worker() override { return workers_ ? workers_->worker() : nullptr; }
  async::Executor* writer() override { return workers_ ? workers_->writer() : nullptr; }
  std::shared_ptr<async::ProgressThread> progress_thread() const override { return between_nodes_.thread(); }
  FailureTeller* teller() const override { return messages_.get(); }
  FailureMessages& messages() { return *messages_; }
  const Options& options() const { return agreed_.options; }
  Channels& channels() override { return *channels_; }

  comm::SharedTasks* tasks() const override { return memory_.tasks(); }
  void reset_counters();
  // Does the work of this rank for open files that needs no waiting. Independent.
  void progress();
  // Collective: each value becomes its maximum over all ranks. `arguments` is the failure of this rank's
  // arguments.
  Status reduce_max(const Status& arguments, std::span<uint64_t> values) const;
  std::string describe() const;
  Explanations* explanations() override { return recording_.explanations(); }

 private:
  Options& options() { return agreed_.options; }
  exchange::Staging& staging() const { return memory_.staging(); }
  void release(Status& status);
  IoSystem();
  Status set_up(MPI_Comm comm, const OptionSet& asked, const Status& arguments);
  Status resolve_options(const OptionSet& options, const Status& arguments);
  Status choose_io_ranks();
  Status make_staging();
  Status watch_calls();
  Result<CpuSet> place_workers();
  Status make_workers();
  size_t works() const;
  void make_channels();

  comm::Communicator comm_;
  std::shared_ptr<FailureMessages> messages_;  // a call that fails uses it when the I/O system is released
  comm::NodeMap nodes_;
  AgreedOptions agreed_;
  std::vector<int> io_ranks_;
  int my_owner_ = -1;
  BetweenNodes between_nodes_{comm_, nodes_, io_ranks_};
  Recording recording_{*this};
  std::unique_ptr<storage::Store> store_;
  NodeMemory memory_;
  std::optional<exchange::StallWatch> watch_;
  std::function<void()> while_waiting_;
  exchange::ChannelContext context_;
  std::optional<async::InlineExecutor> executor_;  // runs the I/O phase of all files
  std::optional<Workers> workers_;                 // run it between calls
  std::optional<Channels> channels_;
  PostedFiles posted_files_{*this};
  std::shared_ptr<Completions> completions_ = std::make_shared<Completions>();
  uint64_t identity_ = 0;
  uint64_t numbers_ = 0;
};

}  // namespace scorpio::session
