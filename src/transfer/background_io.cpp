#include "transfer/background_io.h"

#include <utility>

namespace scorpio::transfer {

using exchange::EmptySlot;
using exchange::FullSlot;

BackgroundIo::BackgroundIo(size_t slots, async::Executor& worker, observe::Counters& counters)
    : worker_(worker), reads_(slots), reader_(counters), writes_(slots), batch_(slots, nullptr) {}

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

// Slots that are added during a run are written by the next run, after all slots of this one.
void BackgroundIo::run() noexcept {
  {
    const MutexLock lock(mutex_);
    submitted_ = false;
    while (!writes_.empty()) batch_.add(writes_.pop());
  }
  batch_.carry_out(true);
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
  const MutexLock lock(mutex_);
  for (size_t left = writes_.size(); left > 0; --left) {
    FullSlot slot = writes_.pop();
    if (slot.outlet != &outlet) writes_.push(std::move(slot));
  }
  submitted_ = !writes_.empty();
  if (submitted_) worker_.submit(*this);
}

}  // namespace scorpio::transfer
