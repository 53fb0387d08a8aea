// Threads wait for a latch until one of them releases it.
#pragma once

#include <condition_variable>

#include "base/mutex.h"

namespace scorpio::test {

class Latch {
 public:
  void release() {
    const MutexLock lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }
  void wait() {
    mutex_.lock();
    while (!released_) changed_.wait(mutex_);
    mutex_.unlock();
  }

 private:
  Mutex mutex_;
  std::condition_variable_any changed_;
  bool released_ GUARDED_BY(mutex_) = false;
};

}  // namespace scorpio::test
