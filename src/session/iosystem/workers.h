// The threads on which an I/O rank works while no call is made: the worker, which writes slots and encodes
// chunks, and the writer of encoded chunks. Each of them starts when the first file needs it. Local; one
// thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "async/bell.h"
#include "async/worker_executor.h"
#include "base/cpu_list.h"
#include "base/result.h"
#include "observe/event_log.h"
#include "observe/trace.h"

namespace scorpio::session {

class Workers {
 public:
  // `events` and `trace` outlive this.
  struct Ground {
    std::unique_ptr<async::Bell>
        bell;          // wakes the worker; null: this rank is no I/O rank, and has no threads
    size_t works = 0;  // the entries of each executor
    std::function<Result<CpuSet>()> place;  // as cpus(); called until it succeeds
    observe::EventLog& events;
    observe::Trace* trace = nullptr;  // null: activities are not recorded
  };
  explicit Workers(Ground ground);

  // The CPUs on which the threads of this rank run; none: those of the calling thread.
  Result<CpuSet> cpus();
  // Starts the worker, if it does not run yet. On a rank that is no I/O rank only cpus() can fail. A worker
  // that runs on other CPUs is a failure in each call.
  Status start();

  // The worker, also before it runs; null: this rank is no I/O rank.
  async::Executor* executor() { return worker_ ? &*worker_ : nullptr; }
  // The worker; null while it does not run.
  async::Executor* worker() { return worker_ && worker_->running() ? &*worker_ : nullptr; }
  // Starts the writer, if it does not run yet; null: the worker writes what it has encoded, or does not run.
  async::Executor* writer();
  // As WorkerExecutor::apply_limits() of the worker.
  void apply_limits(bool apply);

 private:
  Ground ground_;
  std::optional<CpuSet> cpus_;
  Status started_;
  std::optional<async::WorkerExecutor> writer_;
  std::optional<async::WorkerExecutor> worker_;  // ends before the writer, to which it submits
};

}  // namespace scorpio::session
