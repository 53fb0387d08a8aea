#include "async/worker_executor.h"

#include <algorithm>
#include <cassert>

#include "async/chooser.h"
#include "async/own_thread.h"

namespace scorpio::async {

namespace {

constexpr std::chrono::milliseconds k_look_again{10};

}  // namespace

void WorkerExecutor::reserve(size_t entries) {
  const MutexLock lock(mutex_);
  queue_.reserve(3 * entries);     // of each file three
  attended_.reserve(3 * entries);  // of each file three
}

WorkerExecutor::~WorkerExecutor() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  bell_.ring();
  if (thread_.joinable()) thread_.join();
}

Status WorkerExecutor::start(const CpuSet& cpus, observe::Track* track) {
  return start_thread(thread_, {"asynchronous writes", "asynchronous", cpus}, [this, track] {
    const observe::TraceHere here(track);
    run_all();
  });
}

void WorkerExecutor::submit(Work& work) {
  {
    const MutexLock lock(mutex_);
    if (withdrawn_ == &work) return;
    assert(queue_.size() < queue_.capacity());
    queue_.push_back(&work);
  }
  bell_.ring();
}

// In the worker, which looks at the queue before it sleeps.
void WorkerExecutor::resume(Work& work) {
  const MutexLock lock(mutex_);
  if (withdrawn_ == &work || std::find(queue_.begin(), queue_.end(), &work) != queue_.end()) return;
  assert(queue_.size() < queue_.capacity());
  queue_.insert(queue_.begin(), &work);
}

void WorkerExecutor::attend(Work& work) {
  {
    const MutexLock lock(mutex_);
    if (std::find(attended_.begin(), attended_.end(), &work) == attended_.end()) attended_.push_back(&work);
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

void WorkerExecutor::apply_limits(bool apply) {
  {
    const MutexLock lock(mutex_);
    limits_apply_ = apply;
  }
  bell_.ring();
}

Turn WorkerExecutor::present() const noexcept {
  const MutexLock lock(mutex_);
  return present_;
}

// Null: nothing may run before `look_again`. A rank that begins to wait for a work does not ring the bell,
// because almost always the worker is busy; the works are therefore asked again after a short time.
Work* WorkerExecutor::take_next(Time& look_again) {
  look_again = Time::max();
  if (queue_.empty()) return nullptr;
  const Time now = std::chrono::steady_clock::now();
  Chooser chooser(now);
  for (size_t i = 0; i < queue_.size(); ++i) {
    Turn turn = queue_[i]->turn();
    if (!limits_apply_) turn.not_before = {};
    chooser.offer(i, turn);
  }
  if (chooser.chosen() == Chooser::k_none) {
    look_again = std::min(chooser.soonest(), now + k_look_again);
    return nullptr;
  }
  present_ = chooser.turn_of_chosen();
  const auto next = queue_.begin() + static_cast<std::ptrdiff_t>(chooser.chosen());
  Work* work = *next;
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
    Time look_again;
    if (Work* work = take_next(look_again)) {
      run(*work);
      present_ = {};
      continue;
    }
    mutex_.unlock();
    bell_.wait(seen, look_again);
    mutex_.lock();
  }
  mutex_.unlock();
}

}  // namespace scorpio::async
