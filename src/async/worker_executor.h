// Runs work on a thread of its own: first that for which somebody waits, then by priority, and otherwise in
// the order of submission. Independent; any thread submits, one at a time withdraws.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <thread>
#include <vector>

#include "async/bell.h"
#include "async/executor.h"
#include "base/cpu_list.h"
#include "base/mutex.h"
#include "base/result.h"
#include "observe/trace.h"

namespace scorpio::async {

// The thread sleeps while there is no work and its bell is not rung; all signals are blocked in it.
class WorkerExecutor final : public Executor {
 public:
  // `entries`: the number of works that can be submitted and not yet run.
  explicit WorkerExecutor(size_t entries) : bell_(own_bell_) { reserve(entries); }
  // `bell` wakes the thread also for attended works; it outlives this object.
  WorkerExecutor(size_t entries, Bell& bell) : bell_(bell) { reserve(entries); }
  // Work that has not begun is discarded; the run in progress is completed.
  ~WorkerExecutor() override;
  WorkerExecutor(const WorkerExecutor&) = delete;
  WorkerExecutor& operator=(const WorkerExecutor&) = delete;

  // Called once, before any work is submitted. The thread runs on `cpus`; if the set is empty, on the CPUs of
  // the calling thread. Code::memory if no thread can be created, Code::argument if it may not run there;
  // then it runs on the CPUs of the calling thread.
  // The thread records its activities on `track`, which outlives this object; null: none are recorded.
  Status start(const CpuSet& cpus = {}, observe::Track* track = nullptr);
  bool running() const { return thread_.joinable(); }

  void submit(Work& work) override;
  void resume(Work& work) override;
  void attend(Work& work) override;
  // Waits for a run of it that is in progress. Must not be called inside a run.
  void withdraw(Work& work) override;
  Turn present() const noexcept override;
  bool progress() override { return false; }
  // Whether Turn::not_before applies; at first it does.
  void apply_limits(bool apply);

 private:
  void run_all();
  void run(Work& work) REQUIRES(mutex_);
  void look_around() REQUIRES(mutex_);
  Work* take_next(Time& look_again) REQUIRES(mutex_);
  void reserve(size_t entries);

  OwnBell own_bell_;
  Bell& bell_;  // rung for the queue, for the end, and by other threads
  mutable Mutex mutex_;
  std::condition_variable_any changed_;          // signals changes of the work that is being run
  std::vector<Work*> queue_ GUARDED_BY(mutex_);  // never longer than the memory that was reserved
  std::vector<Work*> attended_ GUARDED_BY(mutex_);
  Work* running_ GUARDED_BY(mutex_) = nullptr;
  const Work* withdrawn_ GUARDED_BY(mutex_) = nullptr;  // its run is waited for
  Turn present_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
  bool limits_apply_ GUARDED_BY(mutex_) = true;
  std::thread thread_;
};

}  // namespace scorpio::async
