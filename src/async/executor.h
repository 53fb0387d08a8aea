// Runs work that a call submits and that need not be complete when the call returns. Independent.
#pragma once

namespace scorpio::async {

// Something that has work to do. Not run by two threads at a time.
class Work {
 public:
  virtual ~Work() = default;
  // Does all that there is to do.
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
  // `work` is not run any more, and can be destroyed.
  virtual void withdraw(Work& work) = 0;
  // Runs the work that is left to the calling thread. False if there was none.
  virtual bool progress() = 0;
};

}  // namespace scorpio::async
