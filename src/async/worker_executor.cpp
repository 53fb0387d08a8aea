#include "async/worker_executor.h"

#include <csignal>
#include <system_error>

namespace scorpio::async {

WorkerExecutor::~WorkerExecutor() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  bell_.ring();
  if (thread_.joinable()) thread_.join();
}

// A thread inherits the blocked signals of the thread that creates it.
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
  bell_.ring();
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
  for (size_t left = queue_.size(); left > 0; --left) {
    Work* other = queue_.pop();
    if (other != &work) queue_.push(other);
  }
  // The removal moves other entries of the list, which run_all() may be reading: it must read the list once
  // more.
  if (std::erase(attended_, &work) > 0) bell_.ring();
  while (running_ == &work) changed_.wait(mutex_);
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

// If the bell is rung after the first line, the next round does the work.
void WorkerExecutor::run_all() {
  mutex_.lock();
  while (true) {
    const uint32_t seen = bell_.rung();
    look_around();
    if (ending_) break;
    if (!queue_.empty()) {
      run(*queue_.pop());
      continue;
    }
    mutex_.unlock();
    bell_.wait(seen);
    mutex_.lock();
  }
  mutex_.unlock();
}

}  // namespace scorpio::async
