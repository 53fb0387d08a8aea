// The counters that a thread uses. Local.
#pragma once

#include "observe/counters.h"

namespace scorpio::observe {

// While an object exists, this thread uses `counters` in place of those of the I/O system: for a worker
// thread, whose counters are added to those of the file when a call waits for it.
class CountHere {
 public:
  explicit CountHere(Counters& counters);
  ~CountHere();
  CountHere(const CountHere&) = delete;
  CountHere& operator=(const CountHere&) = delete;

 private:
  Counters* before_;
};

// The counters that this thread uses; `usual` if none were set.
Counters& counters_here(Counters& usual);

}  // namespace scorpio::observe
