// Runs work on a thread of its own, in the order of submission. Independent; any thread submits.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <thread>

#include "async/bounded_queue.h"
#include "async/executor.h"
#include "base/mutex.h"
#include "base/result.h"

namespace scorpio::async {

// The thread sleeps while there is nothing to do, and gets no signals of the process.
class WorkerExecutor final : public Executor {
 public:
  // `entries`: works that may be submitted and not yet run.
  explicit WorkerExecutor(size_t entries) : queue_(entries) {}
  // What is submitted and not run is dropped; the run under way is completed.
  ~WorkerExecutor() override;
  WorkerExecutor(const WorkerExecutor&) = delete;
  WorkerExecutor& operator=(const WorkerExecutor&) = delete;

  // Once, before anything is submitted. Code::memory if the system has no thread to give.
  Status start();
  bool running() const { return thread_.joinable(); }

  void submit(Work& work) override;
  // Waits for a run of it that is under way. Not from a run.
  void withdraw(Work& work) override;
  bool progress() override { return false; }

 private:
  void run_all();

  Mutex mutex_;
  std::condition_variable_any changed_;  // the queue, what runs, the end
  BoundedQueue<Work*> queue_ GUARDED_BY(mutex_);
  Work* running_ GUARDED_BY(mutex_) = nullptr;
  bool ending_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace scorpio::async
