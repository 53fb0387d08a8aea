// What a public call holds while it lasts: the progress threads of the I/O systems that it concerns (option
// progress_thread), which do nothing until it ends. Without the option nothing is held. Local; each thread
// has its own.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include "async/progress_thread.h"

namespace scorpio::capi {

class CallLocks {
 public:
  CallLocks() : innermost_(innermost()), outer_(std::exchange(innermost_, this)) {}
  ~CallLocks() {
    innermost_ = outer_;
    if (held_) leave_all();
  }
  CallLocks(const CallLocks&) = delete;
  CallLocks& operator=(const CallLocks&) = delete;

  // The current call concerns the I/O system of this thread (null: it has none). Several times for one are as
  // one time.
  static void hold(std::shared_ptr<async::ProgressThread> thread) {
    if (thread != nullptr) hold_it(std::move(thread));
  }

 private:
  static CallLocks*& innermost() {
    thread_local CallLocks* locks = nullptr;
    return locks;
  }
  static void hold_it(std::shared_ptr<async::ProgressThread> thread);
  bool holds(const async::ProgressThread& thread) const;
  void leave_all() const;

  CallLocks*& innermost_;  // of this thread: to look for it takes longer than all else here
  CallLocks* outer_;
  // Two files have two I/O systems at most. Most calls hold nothing.
  std::optional<std::array<std::shared_ptr<async::ProgressThread>, 2>> held_;
};

}  // namespace scorpio::capi
