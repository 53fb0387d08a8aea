// The signal SIGXFSZ, with which the system ends a process that makes a file larger than its limit on file
// sizes (ulimit -f) allows. Local; of the thread that constructs it.
#pragma once

#include <csignal>

namespace scorpio {

// While an object exists, such a system call of this thread fails with EFBIG. The signal is blocked and then
// discarded: the signal handler of the process does not change, and a signal that was pending before remains
// pending.
class FileSizeSignalHeld {
 public:
  FileSizeSignalHeld();
  ~FileSizeSignalHeld();
  FileSizeSignalHeld(const FileSizeSignalHeld&) = delete;
  FileSizeSignalHeld& operator=(const FileSizeSignalHeld&) = delete;

 private:
  bool held_ = false;
  bool waited_before_ = false;
  sigset_t mask_before_;
};

}  // namespace scorpio
