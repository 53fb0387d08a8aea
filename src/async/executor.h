// Runs work that a call submits and that need not be complete when the call returns. Independent.
#pragma once

namespace scorpio::async {

// An object that has work to do. Two threads never run it at the same time.
class Work {
 public:
  virtual ~Work() = default;
  // Does all present work.
  virtual void run() noexcept = 0;
};

class Executor {
 public:
  virtual ~Executor() = default;
  // `work` will be run once; it may be submitted again as soon as its run has begun. Never waits, and
  // allocates nothing.
  virtual void submit(Work& work) = 0;
  // `work` itself determines whether there is something to do: it is run whenever this executor wakes up. An
  // executor that runs only inside calls does not do so.
  virtual void attend(Work&) {}
  // `work` is not run from now on, and can be destroyed.
  virtual void withdraw(Work& work) = 0;
  // Runs the work that is left to the calling thread. Returns false if there was none.
  virtual bool progress() = 0;
};

}  // namespace scorpio::async
