// The signal SIGXFSZ, with which the system ends a process that makes a file larger than its limit on file
// sizes (ulimit -f) allows. Local; of the thread that constructs it.
#pragma once

#include <csignal>

namespace scorpio {

// While it lives such a system call of this thread just fails with EFBIG. The signal is held back and taken
// away again: what the process does with the signal stays as it is, and one that was waiting before still
// waits.
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
