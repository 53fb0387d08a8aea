#include "base/file_size_signal.h"

#include <sys/resource.h>

#include <cerrno>
#include <ctime>

namespace scorpio {
namespace {

sigset_t the_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

}  // namespace

// Without a limit nothing sends it: one system call, as quick as one can be.
FileSizeSignalHeld::FileSizeSignalHeld() {
  struct rlimit limit = {};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) return;
  const sigset_t set = the_signal();
  sigset_t waiting;
  sigemptyset(&waiting);
  sigpending(&waiting);
  waited_before_ = sigismember(&waiting, SIGXFSZ) == 1;
  held_ = pthread_sigmask(SIG_BLOCK, &set, &mask_before_) == 0;
}

// The system sends it to the thread that made the call, which takes it here.
FileSizeSignalHeld::~FileSizeSignalHeld() {
  if (!held_) return;
  const int error = errno;  // of the call that was guarded
  const sigset_t set = the_signal();
  const timespec at_once = {};
  while (!waited_before_ && sigtimedwait(&set, nullptr, &at_once) < 0 && errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  errno = error;
}

}  // namespace scorpio
