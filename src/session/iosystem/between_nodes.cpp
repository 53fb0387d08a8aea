#include "session/iosystem/between_nodes.h"

#include "comm/mpi_state.h"

namespace scorpio::session {

RanksBetweenNodes ranks_between_nodes(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                                      int rank) {
  RanksBetweenNodes ranks;
  for (int node = 0; node < nodes.nodes(); ++node) {
    const int leader = nodes.leader(node);
    for (const int owner : io_ranks) {
      if (nodes.node_of(leader) == nodes.node_of(owner)) continue;
      ranks.all.insert({leader, owner});
      if (rank == leader) ranks.peers.insert(owner);
      if (rank == owner) ranks.peers.insert(leader);
    }
  }
  return ranks;
}

Status check_thread_level() {
  const comm::ThreadLevel level = comm::thread_level();
  if (level.multiple) return {};
  return failure(Code::argument,
                 "option progress_thread = true needs MPI_THREAD_MULTIPLE, and MPI was initialized with {}; "
                 "initialize it by MPI_Init_thread with MPI_THREAD_MULTIPLE, or set the option to false and "
                 "call scorpio_progress() between computations",
                 level.name);
}

Status MessageThread::start(async::Advancing& work, const CpuSet& cpus, observe::Track* track) {
  thread_ = std::make_shared<async::ProgressThread>(work);
  at_finalize_ = std::make_unique<comm::AtFinalize>([thread = thread_.get()] { thread->end(); });
  SCORPIO_TRY(at_finalize_->set());
  return thread_->start(cpus, track);
}

// Whoever has entered the thread leaves it later, which uses `work` no more.
void MessageThread::end() {
  at_finalize_.reset();
  if (thread_ != nullptr) thread_->end();
  thread_.reset();
}

}  // namespace scorpio::session
