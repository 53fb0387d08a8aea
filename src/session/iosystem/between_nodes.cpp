#include "session/iosystem/between_nodes.h"

#include <string>

#include "comm/agree.h"
#include "session/iosystem/ranks_between_nodes.h"
#include "session/iosystem/workers.h"

namespace scorpio::session {

Status BetweenNodes::begin() {
  SCORPIO_ASSIGN(messages_, comm::Communicator::duplicate(comm_.raw()));
  return {};
}

// Only leaders and I/O ranks send or receive data between nodes; a leader without I/O ranks on other nodes
// does not.
Status BetweenNodes::make_exchanges(Options& options, int channels) {
  const std::string& transfer = options.choice(Option::transfer);
  if (transfer == "messages") return {};
  if (nodes_.nodes() == 1) {
    options.set_in_force(Option::transfer, "messages, of which one node has none");
    return {};
  }
  const RanksBetweenNodes ranks = ranks_between_nodes(nodes_, io_ranks_, comm_.rank());
  const auto way =
      transfer == "neighbor" ? comm::PeerCollective::neighbors : comm::PeerCollective::all_to_all;
  SCORPIO_ASSIGN(exchanges_, comm::PeerExchanges::create(messages_, way, {ranks.all.begin(), ranks.all.end()},
                                                         {ranks.peers.begin(), ranks.peers.end()}, channels));
  return {};
}

// Each rank checks what MPI allows, because the failure of one is that of all.
Status BetweenNodes::start_thread(Options& options, async::Advancing& work, Workers& workers,
                                  observe::Trace* trace) {
  if (!options.boolean(Option::progress_thread)) return {};
  const RanksBetweenNodes ranks = ranks_between_nodes(nodes_, io_ranks_, comm_.rank());
  if (ranks.all.empty()) {
    options.set_in_force(Option::progress_thread, "false, because no data cross between nodes");
    return {};
  }
  const Result<CpuSet> cpus = workers.cpus();
  Status status = first_failure(check_thread_level(), cpus.status());
  if (status.ok() && !ranks.peers.empty())
    status = thread_.start(work, *cpus, trace != nullptr ? &trace->make_progress() : nullptr);
  SCORPIO_TRY(comm::agree(comm_, status));
  options.set_in_force(Option::progress_thread,
                       fmt::format("true: {} of {} ranks have one, on the CPUs of worker_cpus",
                                   ranks.all.size(), comm_.size()));
  return {};
}

Status BetweenNodes::free() {
  const Status freed = exchanges_ != nullptr ? exchanges_->free() : Status();
  return first_failure(freed, messages_.free());
}

}  // namespace scorpio::session
