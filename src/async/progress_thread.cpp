#include "async/progress_thread.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "async/own_thread.h"

namespace scorpio::async {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::microseconds k_shortest_nap{50};
constexpr std::chrono::milliseconds k_longest_nap{10};
// A nap delays what moves next by this part of the time for which nothing has moved, at most.
constexpr int k_naps_of_still = 16;

// The threads that run. A program may exit without freeing its I/O systems: their threads end before the
// objects of the process that they use.
class Running {
 public:
  static Running& of_process() {
    static auto* const running = new Running();  // not destroyed: threads end while the program exits
    return *running;
  }
  void add(ProgressThread& thread) {
    const MutexLock lock(mutex_);
    all_.push_back(&thread);
  }
  void remove(const ProgressThread& thread) {
    const MutexLock lock(mutex_);
    std::erase(all_, &thread);
  }
  // A thread of the parent process, which this one cannot end.
  void keep(std::thread thread) {
    const MutexLock lock(mutex_);
    of_parent_.push_back(std::move(thread));
  }

 private:
  Running() {
    std::atexit([] { of_process().end_all(); });
  }
  ProgressThread* any() {
    const MutexLock lock(mutex_);
    return all_.empty() ? nullptr : all_.back();
  }
  void end_all() {
    while (ProgressThread* const thread = any()) thread->end();
  }

  Mutex mutex_;
  std::vector<ProgressThread*> all_ GUARDED_BY(mutex_);
  std::vector<std::thread> of_parent_ GUARDED_BY(mutex_);
};

}  // namespace

Status ProgressThread::start(const CpuSet& cpus, observe::Track* track) {
  Running::of_process().add(*this);
  process_ = getpid();
  return start_thread(thread_, {"messages between nodes", "progress_thread", cpus}, [this, track] {
    const observe::TraceHere here(track);
    run();
  });
}

void ProgressThread::enter() {
  callers_.fetch_add(1);
  mutex_.lock();
  callers_.fetch_sub(1);
}

void ProgressThread::leave() {
  const bool more = !ending_.load() && work_.under_way();
  mutex_.unlock();
  if (more) bell_.ring();
}

// In a child process the thread does not exist, and a wait for its end would have none.
void ProgressThread::end() {
  const MutexLock lock(ending_mutex_);
  Running::of_process().remove(*this);
  if (!thread_.joinable()) return;
  ending_.store(true);
  if (thread_.get_id() == std::this_thread::get_id()) return thread_.detach();
  if (process_ != getpid()) return Running::of_process().keep(std::move(thread_));
  bell_.ring();
  thread_.join();
}

std::chrono::nanoseconds ProgressThread::nap_after(std::chrono::nanoseconds still) {
  return std::clamp<std::chrono::nanoseconds>(still / k_naps_of_still, k_shortest_nap, k_longest_nap);
}

// A call that has the mutex, or waits for it, rings the bell at its end if it leaves work.
ProgressThread::Look ProgressThread::look() {
  if (callers_.load() > 0 || !mutex_.try_lock()) return Look::nothing;
  Look found = Look::nothing;
  if (work_.under_way()) found = work_.advance() ? Look::moved : Look::waiting;
  mutex_.unlock();
  return found;
}

// If the bell is rung after the first line of the loop, the wait returns at once.
void ProgressThread::run() {
  Clock::time_point moved = Clock::now();
  while (!ending_.load()) {
    const uint32_t seen = bell_.rung();
    const Look found = look();
    const Clock::time_point now = Clock::now();
    if (found == Look::moved) {
      moved = now;
      continue;
    }
    bell_.wait(seen, found == Look::nothing ? Clock::time_point::max() : now + nap_after(now - moved));
    if (bell_.rung() != seen) moved = Clock::now();
  }
}

}  // namespace scorpio::async
