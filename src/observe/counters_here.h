// Which counters a thread counts in. Local.
#pragma once

#include "observe/counters.h"

namespace scorpio::observe {

// While it lives, what this thread counts is counted in `counters`, in place of those of the I/O system: of a
// thread that works beside the calls, whose work is added to the file's when the calls wait for it.
class CountHere {
 public:
  explicit CountHere(Counters& counters);
  ~CountHere();
  CountHere(const CountHere&) = delete;
  CountHere& operator=(const CountHere&) = delete;

 private:
  Counters* before_;
};

// Those that this thread counts in; `usual` if nothing was said.
Counters& counters_here(Counters& usual);

}  // namespace scorpio::observe
