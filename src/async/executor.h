// Runs work that a call submits and that need not be complete when the call returns. Independent.
#pragma once

#include <chrono>

namespace scorpio::async {

using Time = std::chrono::steady_clock::time_point;

// What determines when a work is run (chooser.h).
struct Turn {
  bool pressing = false;  // somebody waits for it: it is run before others, and `not_before` does not apply
  int priority = 0;       // works with a higher value are run first
  Time not_before{};
  bool stores = false;  // it gives storage bytes itself

  bool precedes(const Turn& other) const {
    return pressing != other.pressing ? pressing : priority > other.priority;
  }
};

// An object that has work to do. Two threads never run it at the same time.
class Work {
 public:
  virtual ~Work() = default;
  // Does the present work, or a part of it (Executor::resume).
  virtual void run() noexcept = 0;
  // Called by the executor at any time, in the thread that runs it; calls none of the executor's functions,
  // and of another one only present().
  virtual Turn turn() const noexcept { return {}; }
};

class Executor {
 public:
  virtual ~Executor() = default;
  // `work` will be run once; it may be submitted again as soon as its run has begun. Never waits, and
  // allocates nothing.
  virtual void submit(Work& work) = 0;
  // Called by a run of `work` that leaves something to do: it is run again, before the works that were
  // submitted meanwhile, unless it is withdrawn.
  virtual void resume(Work& work) { submit(work); }
  // `work` itself determines whether there is something to do: it is run whenever this executor wakes up. An
  // executor that runs only inside calls does not do so. Called again for the same work it only wakes up.
  virtual void attend(Work&) {}
  // `work` is not run from now on, until it is submitted again, and can be destroyed. What submits it
  // meanwhile, a run of it for instance, does so in vain.
  virtual void withdraw(Work& work) = 0;
  // The turn of the work that it runs now, as it was when it was chosen. Any thread. An executor that runs
  // only inside calls has none.
  virtual Turn present() const noexcept { return {}; }
  // Runs the work that is left to the calling thread. Returns false if there was none.
  virtual bool progress() = 0;
};

}  // namespace scorpio::async
