// An object on which a thread sleeps until another one wakes it. Any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>

#include "async/executor.h"
#include "base/mutex.h"

namespace scorpio::async {

class Bell {
 public:
  virtual ~Bell() = default;
  // Changes whenever it is rung.
  virtual uint32_t rung() const = 0;
  virtual void ring() = 0;
  // Waits until it is rung, at most until this time, or returns at once if it was rung since rung() returned
  // `seen`; may return without a reason.
  virtual void wait(uint32_t seen, Time until) = 0;
};

// A bell for the threads of one process.
class OwnBell final : public Bell {
 public:
  uint32_t rung() const override {
    const MutexLock lock(mutex_);
    return rung_;
  }
  void ring() override {
    const MutexLock lock(mutex_);
    ++rung_;
    changed_.notify_all();
  }
  void wait(uint32_t seen, Time until) override {
    const MutexLock lock(mutex_);
    if (rung_ != seen) return;
    if (until == Time::max()) return changed_.wait(mutex_);
#if defined(__SANITIZE_THREAD__)
    // The sanitizer of GCC 12 does not know waits by the steady clock.
    const auto left = until - std::chrono::steady_clock::now();
    changed_.wait_until(mutex_, std::chrono::system_clock::now() +
                                    std::chrono::duration_cast<std::chrono::system_clock::duration>(left));
#else
    changed_.wait_until(mutex_, until);  // by the steady clock, which nobody sets back
#endif
  }

 private:
  mutable Mutex mutex_;
  std::condition_variable_any changed_;
  uint32_t rung_ GUARDED_BY(mutex_) = 0;
};

}  // namespace scorpio::async
