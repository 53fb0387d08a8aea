// A mutex whose use clang's thread-safety analysis checks (-Wthread-safety). Local; any thread.
#pragma once

#include <mutex>

#if defined(__clang__)
#define SCORPIO_THREAD_ATTRIBUTE(x) __attribute__((x))
#else
#define SCORPIO_THREAD_ATTRIBUTE(x)
#endif

#define GUARDED_BY(mutex) SCORPIO_THREAD_ATTRIBUTE(guarded_by(mutex))
#define REQUIRES(...) SCORPIO_THREAD_ATTRIBUTE(requires_capability(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS SCORPIO_THREAD_ATTRIBUTE(no_thread_safety_analysis)

namespace scorpio {

// Has the interface BasicLockable, so that std::condition_variable_any can wait with it.
class SCORPIO_THREAD_ATTRIBUTE(capability("mutex")) Mutex {
 public:
  void lock() SCORPIO_THREAD_ATTRIBUTE(acquire_capability()) { mutex_.lock(); }
  void unlock() SCORPIO_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
  bool try_lock() SCORPIO_THREAD_ATTRIBUTE(try_acquire_capability(true)) { return mutex_.try_lock(); }

 private:
  std::mutex mutex_;
};

class SCORPIO_THREAD_ATTRIBUTE(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SCORPIO_THREAD_ATTRIBUTE(acquire_capability(mutex)) : mutex_(mutex) {
    mutex_.lock();
  }
  ~MutexLock() SCORPIO_THREAD_ATTRIBUTE(release_capability()) { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// While an object exists, a mutex that the calling thread has locked is unlocked: for long work in the middle
// of a function. The analysis takes the mutex for locked; so the work uses nothing that it guards. Null:
// there is no mutex.
class MutexPause {
 public:
  explicit MutexPause(Mutex* mutex) NO_THREAD_SAFETY_ANALYSIS : mutex_(mutex) {
    if (mutex_ != nullptr) mutex_->unlock();
  }
  ~MutexPause() NO_THREAD_SAFETY_ANALYSIS {
    if (mutex_ != nullptr) mutex_->lock();
  }
  MutexPause(const MutexPause&) = delete;
  MutexPause& operator=(const MutexPause&) = delete;

 private:
  Mutex* mutex_;
};

}  // namespace scorpio
