// The progress thread of a rank, which moves data on between nodes while no call is made (option
// progress_thread). Local; one thread.
#pragma once

#include <memory>

#include "async/progress_thread.h"
#include "comm/at_finalize.h"

namespace scorpio::session {

// Code::argument if MPI does not allow that several threads call it. Local.
Status check_thread_level();

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
