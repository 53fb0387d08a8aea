#include "exchange/drawn_worker.h"

#include <algorithm>

#include "exchange/interleaving.h"

namespace scorpio::test {

using async::Work;

void DrawnWorker::submit(Work& work) {
  {
    const MutexLock lock(mutex_);
    queue_.push_back(&work);
  }
  bell_.ring();
}

void DrawnWorker::resume(Work& work) {
  const MutexLock lock(mutex_);
  if (withdrawn_ != &work) queue_.insert(queue_.begin(), &work);
}

void DrawnWorker::attend(Work& work) {
  {
    const MutexLock lock(mutex_);
    attended_.push_back(&work);
  }
  bell_.ring();
}

bool DrawnWorker::is_running(const Work& work) {
  const MutexLock lock(mutex_);
  return running_ == &work;
}

void DrawnWorker::withdraw(Work& work) {
  {
    const MutexLock lock(mutex_);
    std::erase(queue_, &work);
    std::erase(attended_, &work);
    withdrawn_ = &work;
  }
  while (is_running(work)) step_aside();
  const MutexLock lock(mutex_);
  withdrawn_ = nullptr;
}

// It was marked as running when it was taken.
void DrawnWorker::run(Work& work) {
  work.run();
  const MutexLock lock(mutex_);
  running_ = nullptr;
}

Work* DrawnWorker::next() {
  const MutexLock lock(mutex_);
  if (queue_.empty()) return nullptr;
  auto at =
      std::find_if(queue_.begin(), queue_.end(), [](const Work* work) { return work->turn().pressing; });
  if (at == queue_.end()) at = queue_.begin();
  Work* work = *at;
  queue_.erase(at);
  running_ = work;
  return work;
}

void DrawnWorker::look_around() {
  for (size_t i = 0; true; ++i) {
    Work* work = nullptr;
    {
      const MutexLock lock(mutex_);
      if (i >= attended_.size()) return;
      running_ = work = attended_[i];
    }
    run(*work);
  }
}

void DrawnWorker::work() {
  while (true) {
    const uint32_t seen = bell_.rung();
    look_around();
    {
      const MutexLock lock(mutex_);
      if (ending_) return;
    }
    // Nothing but work is progress: a worker that only wakes up must not hide that ranks wait for ever.
    if (Work* work = next()) {
      run(*work);
      come_to("its worker's next round");
    } else {
      bell_.wait(seen, async::Time::max());
    }
  }
}

void DrawnWorker::end() {
  {
    const MutexLock lock(mutex_);
    ending_ = true;
  }
  bell_.ring();
}

}  // namespace scorpio::test
