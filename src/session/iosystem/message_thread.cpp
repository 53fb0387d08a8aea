#include "session/iosystem/message_thread.h"

#include "comm/mpi_state.h"

namespace scorpio::session {

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
