#include "async/worker_executor.h"

#include <csignal>
#include <system_error>

namespace scorpio::async {

WorkerExecutor::~WorkerExecutor() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

// A thread inherits the signals that its maker holds back.
Status WorkerExecutor::start() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Status status;
  try {
    thread_ = std::thread([this] { run_all(); });
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
    queue_.push(&work);
  }
  changed_.notify_all();
}

void WorkerExecutor::withdraw(Work& work) {
  const MutexLock lock(mutex_);
  for (size_t left = queue_.size(); left > 0; --left) {
    Work* other = queue_.pop();
    if (other != &work) queue_.push(other);
  }
  while (running_ == &work) changed_.wait(mutex_);
}

void WorkerExecutor::run_all() {
  mutex_.lock();
  while (!ending_) {
    if (queue_.empty()) {
      changed_.wait(mutex_);
      continue;
    }
    Work& work = *queue_.pop();
    running_ = &work;
    mutex_.unlock();
    work.run();
    mutex_.lock();
    running_ = nullptr;
    changed_.notify_all();
  }
  mutex_.unlock();
}

}  // namespace scorpio::async
