#include "async/worker_executor.h"

#include <algorithm>
#include <cassert>
#include <csignal>
#include <system_error>

#include "base/affinity.h"

namespace scorpio::async {

void WorkerExecutor::reserve(size_t entries) {
  const MutexLock lock(mutex_);
  queue_.reserve(entries);
  attended_.reserve(2 * entries);  // of each file two
}

WorkerExecutor::~WorkerExecutor() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  bell_.ring();
  if (thread_.joinable()) thread_.join();
}

// A thread inherits the blocked signals of the thread that creates it.
Status WorkerExecutor::start(const CpuSet& cpus) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Status status;
  try {
    thread_ = std::thread([this] { run_all(); });
    if (cpus.any()) status = run_on(thread_, cpus);
  } catch (const std::system_error& e) {
    status = failure(Code::memory,
                     "no thread can be started for asynchronous writes ({}); raise the limit on "
                     "processes (ulimit -u) or set the option asynchronous to false",
                     e.what());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return status;
}

void WorkerExecutor::submit(Work& work) {
  {
    const MutexLock lock(mutex_);
    assert(queue_.size() < queue_.capacity());
    queue_.push_back(&work);
  }
  bell_.ring();
}

// In the worker, which looks at the queue before it sleeps.
void WorkerExecutor::resume(Work& work) {
  const MutexLock lock(mutex_);
  if (withdrawn_ == &work) return;
  assert(queue_.size() < queue_.capacity());
  queue_.insert(queue_.begin(), &work);
}

void WorkerExecutor::attend(Work& work) {
  {
    const MutexLock lock(mutex_);
    attended_.push_back(&work);
  }
  bell_.ring();
}

void WorkerExecutor::withdraw(Work& work) {
  const MutexLock lock(mutex_);
  std::erase(queue_, &work);
  // The removal moves other entries of the list, which run_all() may be reading: it must read the list once
  // more.
  if (std::erase(attended_, &work) > 0) bell_.ring();
  withdrawn_ = &work;
  while (running_ == &work) changed_.wait(mutex_);
  withdrawn_ = nullptr;
}

void WorkerExecutor::run(Work& work) {
  running_ = &work;
  mutex_.unlock();
  work.run();
  mutex_.lock();
  running_ = nullptr;
  changed_.notify_all();
}

// Entries may be added and removed during the loop: an added one rings the bell, and the next call runs it.
void WorkerExecutor::look_around() {
  for (size_t i = 0; i < attended_.size(); ++i) run(*attended_[i]);
}

Work& WorkerExecutor::take_next() {
  auto next = std::find_if(queue_.begin(), queue_.end(), [](const Work* work) { return work->pressing(); });
  if (next == queue_.end()) next = queue_.begin();
  Work& work = **next;
  queue_.erase(next);
  return work;
}

// If the bell is rung after the first line, the next round does the work.
void WorkerExecutor::run_all() {
  mutex_.lock();
  while (true) {
    const uint32_t seen = bell_.rung();
    look_around();
    if (ending_) break;
    if (!queue_.empty()) {
      run(take_next());
      continue;
    }
    mutex_.unlock();
    bell_.wait(seen);
    mutex_.lock();
  }
  mutex_.unlock();
}

}  // namespace scorpio::async
