// A thread that advances work between calls, and the lock that keeps it out of the data of calls. In a call
// the thread of the program does the work itself: the progress thread never waits for the lock, and at the
// end of a call that leaves work it is woken. It polls, because messages wake nobody: often while something
// moves, rarely if nothing has moved for long, and not at all while no work is left. Any thread, except where
// stated.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "async/bell.h"
#include "base/cpu_list.h"
#include "base/mutex.h"
#include "base/status.h"
#include "observe/trace.h"

namespace scorpio::async {

// What is advanced. Its functions are called with the lock held.
class Advancing {
 public:
  // One step, without waiting; false: nothing could be done now.
  virtual bool advance() noexcept = 0;
  // Whether anything is left to do that depends on others alone.
  virtual bool under_way() const noexcept = 0;

 protected:
  ~Advancing() = default;
};

class ProgressThread {
 public:
  // `work` outlives the thread.
  explicit ProgressThread(Advancing& work) : work_(work) {}
  ~ProgressThread() { end(); }
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  // Called once; as WorkerExecutor::start(). The thread ends when the process exits, at the latest.
  Status start(const CpuSet& cpus, observe::Track* track);
  // A call begins, and ends. Between them the thread does nothing.
  void enter() NO_THREAD_SAFETY_ANALYSIS;
  void leave() NO_THREAD_SAFETY_ANALYSIS;
  // Ends the thread, also inside a call. A child process, which has no such thread, forgets it.
  void end();

  // The time between two looks, if nothing has moved for `still`.
  static std::chrono::nanoseconds nap_after(std::chrono::nanoseconds still);

 private:
  enum class Look { moved, waiting, nothing };  // nothing is left, or a call is made

  void run();
  Look look();

  Advancing& work_;
  OwnBell bell_;
  Mutex mutex_;                   // of the data of calls
  std::atomic<int> callers_ = 0;  // that wait for the mutex, and come before the thread
  std::atomic<bool> ending_ = false;
  Mutex ending_mutex_;  // of end()
  pid_t process_ = 0;
  std::thread thread_;
};

}  // namespace scorpio::async
