// Runs work inside the calls of the thread that submits it, in the order of submission. Independent; one
// thread.
#pragma once

#include "async/bounded_queue.h"
#include "async/executor.h"

namespace scorpio::async {

class InlineExecutor final : public Executor {
 public:
  // `entries`: the number of works that can be submitted and not yet run.
  explicit InlineExecutor(size_t entries) : queue_(entries) {}

  void submit(Work& work) override { queue_.push(&work); }
  void withdraw(Work& work) override;
  bool progress() override;

 private:
  BoundedQueue<Work*> queue_;  // null: the work was withdrawn
};

}  // namespace scorpio::async
