#include "transfer/background_io.h"

#include <utility>

namespace scorpio::transfer {

using exchange::EmptySlot;
using exchange::FullSlot;

BackgroundIo::BackgroundIo(size_t slots, size_t part, async::Executor& worker, observe::Counters& counters)
    : worker_(worker),
      reads_(slots),
      reader_(counters),
      part_(part),
      writes_(slots),
      batch_(part_, nullptr) {}

void BackgroundIo::write(FullSlot slot) {
  {
    const MutexLock lock(mutex_);
    writes_.push(std::move(slot));
    if (std::exchange(submitted_, true)) return;
  }
  worker_.submit(*this);
}

bool BackgroundIo::progress() {
  if (reads_.empty()) return false;
  while (!reads_.empty()) {
    const EmptySlot slot = reads_.pop();
    reader_.fill(slot);
    slot.completion.done();
  }
  return true;
}

// Between the parts a channel for which somebody waits gets its turn.
void BackgroundIo::run() noexcept {
  bool more = false;
  {
    const MutexLock lock(mutex_);
    for (size_t i = 0; i < part_ && !writes_.empty(); ++i) batch_.add(writes_.pop());
    more = submitted_ = !writes_.empty();
  }
  batch_.carry_out(true);
  if (more) worker_.resume(*this);
}

bool BackgroundIo::pressing() const noexcept {
  const MutexLock lock(mutex_);
  return !writes_.empty() && writes_.front().completion.user->pressing();
}

void BackgroundIo::attend(exchange::SlotsToCome& slots) {
  looking_.slots = &slots;
  worker_.attend(looking_);
}

void BackgroundIo::leave() {
  if (looking_.slots == nullptr) return;
  worker_.withdraw(looking_);
  looking_.slots = nullptr;
}

// The worker refers to outlets only during a run. If a run was withdrawn, its remaining slots are submitted
// again.
void BackgroundIo::drop(const exchange::Outlet& outlet) {
  worker_.withdraw(*this);
  {
    const MutexLock lock(mutex_);
    for (size_t left = writes_.size(); left > 0; --left) {
      FullSlot slot = writes_.pop();
      if (slot.outlet != &outlet) writes_.push(std::move(slot));
    }
    submitted_ = !writes_.empty();
    if (!submitted_) return;
  }
  worker_.submit(*this);
}

}  // namespace scorpio::transfer
