// base/mutex.h in tests that draw the interleaving of the ranks: who finds a mutex locked lets another thread
// go on. The types have other names than those of the library, with which these tests are linked.
#pragma once

#include <mutex>

#include "exchange/interleaving.h"

#define GUARDED_BY(mutex)
#define REQUIRES(...)

namespace scorpio {

namespace test {

class DrawnMutex {
 public:
  void lock() {
    while (!mutex_.try_lock()) step_aside();
  }
  void unlock() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

}  // namespace test

using Mutex = test::DrawnMutex;
using MutexLock = std::lock_guard<test::DrawnMutex>;

}  // namespace scorpio
