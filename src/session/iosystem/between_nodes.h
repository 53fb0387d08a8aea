// The ranks that send or receive data between nodes: leaders and I/O ranks of different nodes; and the thread
// that does so on each of them while no call is made (option progress_thread).
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "async/progress_thread.h"
#include "comm/at_finalize.h"
#include "comm/node_map.h"

namespace scorpio::session {

struct RanksBetweenNodes {
  std::set<int> all;    // the same on all ranks
  std::set<int> peers;  // of `rank`; none: it is not among them
};
// A leader is not among them if all I/O ranks are on its node. Pure.
RanksBetweenNodes ranks_between_nodes(const comm::NodeMap& nodes, const std::vector<int>& io_ranks, int rank);

// Code::argument if MPI does not allow that several threads call it. Local.
Status check_thread_level();

// The progress thread of a rank. Local; one thread.
class MessageThread {
 public:
  MessageThread() = default;
  ~MessageThread() { end(); }
  MessageThread(const MessageThread&) = delete;
  MessageThread& operator=(const MessageThread&) = delete;

  // `work` and `track` exist until end(), which MPI_Finalize calls, too.
  Status start(async::Advancing& work, const CpuSet& cpus, observe::Track* track);
  void end();
  // Calls enter and leave it; it exists until the last of them has left it. Null: there is none.
  const std::shared_ptr<async::ProgressThread>& thread() const { return thread_; }

 private:
  std::shared_ptr<async::ProgressThread> thread_;
  std::unique_ptr<comm::AtFinalize> at_finalize_;
};

}  // namespace scorpio::session
