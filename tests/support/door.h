// A door that threads wait at until one of them opens it.
#pragma once

#include <condition_variable>

#include "base/mutex.h"

namespace scorpio::test {

class Door {
 public:
  void open() {
    const MutexLock lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void pass() {
    mutex_.lock();
    while (!open_) changed_.wait(mutex_);
    mutex_.unlock();
  }

 private:
  Mutex mutex_;
  std::condition_variable_any changed_;
  bool open_ GUARDED_BY(mutex_) = false;
};

}  // namespace scorpio::test
