#include "capi/call_locks.h"

#include <algorithm>
#include <cassert>

namespace scorpio::capi {

bool CallLocks::holds(const async::ProgressThread& thread) const {
  return held_ && std::ranges::any_of(*held_, [&](const auto& held) { return held.get() == &thread; });
}

void CallLocks::leave_all() const {
  for (const auto& thread : *held_) {
    if (thread != nullptr) thread->leave();
  }
}

void CallLocks::hold_it(std::shared_ptr<async::ProgressThread> thread) {
  CallLocks* const call = innermost();
  for (const CallLocks* locks = call; locks != nullptr; locks = locks->outer_) {
    if (locks->holds(*thread)) return;
  }
  if (!call->held_) call->held_.emplace();
  const auto free = std::ranges::find(*call->held_, nullptr);
  assert(free != call->held_->end());
  thread->enter();
  *free = std::move(thread);
}

}  // namespace scorpio::capi
