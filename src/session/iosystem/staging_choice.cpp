#include "session/iosystem/staging_choice.h"

#include <utility>

#include "comm/agree.h"
#include "session/iosystem/arrangement.h"

namespace scorpio::session {

namespace {

class StagingChoice {
 public:
  StagingChoice(const comm::Communicator& comm, const std::vector<int>& io_ranks, comm::NodeMap& nodes,
                Options& options)
      : comm_(comm), io_ranks_(io_ranks), nodes_(nodes), options_(options) {}

  Result<ChosenStaging> choose(observe::EventLog& events) {
    const std::string& exchange = options_.choice(Option::exchange);
    const bool asked = exchange == "messages";
    if (asked) SCORPIO_TRY(part_nodes());
    Result<Memory> shared = try_memory(asked);
    if (shared.ok() || shared.status().code() != Code::memory || exchange != "auto") {
      SCORPIO_ASSIGN(Memory memory, std::move(shared));
      set_in_force(asked);
      return ChosenStaging{std::move(memory),
                           asked ? "private memory and messages, as asked for" : "node-shared memory"};
    }
    SCORPIO_TRY(part_nodes());
    SCORPIO_ASSIGN(Memory memory, try_memory(true));
    events.add(fmt::format("data go to the I/O ranks by messages: {}", shared.status().text()));
    set_in_force(true);
    return ChosenStaging{std::move(memory),
                         fmt::format("private memory and messages, because {}", shared.status().text())};
  }

 private:
  using Memory = std::unique_ptr<exchange::Staging>;

  // Makes each rank a node of its own.
  Status part_nodes() {
    SCORPIO_TRY(nodes_.free());
    std::vector<CpuSet> cpus = std::move(nodes_.cpus);
    SCORPIO_ASSIGN(nodes_, comm::find_nodes(comm_, 0, true));
    nodes_.cpus = std::move(cpus);  // those of the real node
    return {};
  }

  Result<Memory> try_memory(bool messages) const {
    SCORPIO_ASSIGN(const exchange::StagingSizes sizes,
                   staging_sizes(options_, nodes_, io_ranks_, staging_budget(options_, messages)));
    auto memory = exchange::Staging::create(nodes_, io_ranks_, sizes);
    SCORPIO_TRY(comm::agree(comm_, memory.status()));
    return std::move(memory).value();
  }

  void set_in_force(bool messages) {
    const bool several = nodes_.nodes() > 1;
    const char* shared = several ? "shared on a node, messages between nodes" : "shared";
    const auto budget = static_cast<int64_t>(staging_budget(options_, messages));
    options_.set_in_force(Option::nodes, std::to_string(nodes_.nodes()));
    options_.set_in_force(Option::exchange, messages ? "messages" : shared);
    options_.set_in_force(Option::staging_bytes, format_bytes(budget));
    if (chooses_domains(options_)) options_.set_in_force(Option::domains, "chosen for each file");
    if (options_.bytes(Option::block_bytes) > 0) return;
    options_.set_in_force(Option::block_bytes, format_bytes(k_unknown_block) +
                                                   ", or what a file's file system says if that is more");
  }

  const comm::Communicator& comm_;
  const std::vector<int>& io_ranks_;
  comm::NodeMap& nodes_;
  Options& options_;
};

}  // namespace

Result<ChosenStaging> choose_staging(const comm::Communicator& comm, const std::vector<int>& io_ranks,
                                     comm::NodeMap& nodes, Options& options, observe::EventLog& events) {
  return StagingChoice(comm, io_ranks, nodes, options).choose(events);
}

std::string slots_text(const exchange::StagingSizes& sizes) {
  std::string text = fmt::format("{} of {} bytes on each I/O rank", sizes.slots, sizes.unit_bytes);
  if (sizes.out_slots > 0)
    text += fmt::format(", {} on each node for messages to other nodes", sizes.out_slots);
  if (sizes.receives > 0) text += fmt::format(", {} on each I/O rank for received messages", sizes.receives);
  if (sizes.common() > 0)
    text += fmt::format("; {} reserved for each of {} files, {} for any file", sizes.reserved, sizes.files,
                        sizes.common());
  return text;
}

}  // namespace scorpio::session
