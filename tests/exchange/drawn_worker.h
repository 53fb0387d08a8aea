// The worker of an I/O rank, as a thread of a drawn interleaving (interleaving.h). Any thread.
#pragma once

#include <vector>

#include "async/executor.h"
#include "base/mutex.h"
#include "exchange/link/shared_bell.h"

namespace scorpio::test {

// As async::WorkerExecutor, whose condition variable would stop all threads that take turns.
class DrawnWorker final : public async::Executor {
 public:
  explicit DrawnWorker(exchange::WorkerBell& bell) : bell_(bell) {}

  // The thread of the worker, until end().
  void work();
  // Nothing is submitted or attended to any more.
  void end();

  void submit(async::Work& work) override;
  void resume(async::Work& work) override;
  void attend(async::Work& work) override;
  void withdraw(async::Work& work) override;
  bool progress() override { return false; }

 private:
  void run(async::Work& work);
  async::Work* next();
  bool is_running(const async::Work& work);
  void look_around();

  exchange::SharedBell bell_;
  Mutex mutex_;
  std::vector<async::Work*> queue_ GUARDED_BY(mutex_), attended_ GUARDED_BY(mutex_);
  const async::Work* running_ GUARDED_BY(mutex_) = nullptr;
  const async::Work* withdrawn_ GUARDED_BY(mutex_) = nullptr;
  bool ending_ GUARDED_BY(mutex_) = false;
};

}  // namespace scorpio::test
