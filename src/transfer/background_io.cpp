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

namespace {

// Whether somebody waits for the slot, so that a limit on the rate of its file does not apply.
bool is_waited_for(const FullSlot& slot) {
  return slot.completion.user->pressing() || slot.completion.user->wanted();
}

}  // namespace

// Adds the slots of the next part to the batch. Returns the file whose limit on the rate applies to it; null:
// none does. Such a part has slots of this file alone.
exchange::Outlet* BackgroundIo::take_part(bool& more) {
  const MutexLock lock(mutex_);
  exchange::Outlet* limited = nullptr;
  if (!writes_.empty()) {
    const FullSlot& first = writes_.front();
    if (first.outlet->pace.policy().limited() && !is_waited_for(first)) limited = first.outlet;
  }
  uint64_t bytes = 0;
  for (size_t i = 0; i < part_ && !writes_.empty(); ++i) {
    const FullSlot& next = writes_.front();
    if (limited != nullptr && (next.outlet != limited || (i > 0 && !limited->pace.takes_more(bytes)))) break;
    bytes += next.unit.bytes.end - next.unit.bytes.begin;
    batch_.add(writes_.pop());
  }
  more = submitted_ = !writes_.empty();
  return limited;
}

// Between the parts a channel for which somebody waits, or one of a higher priority, gets its turn.
void BackgroundIo::run() noexcept {
  bool more = false;
  exchange::Outlet* limited = take_part(more);
  const auto began = exchange::Pace::Clock::now();
  const uint64_t before = batch_.bytes();
  batch_.carry_out(true);
  if (limited != nullptr) limited->pace.wrote(batch_.bytes() - before, began);
  if (more) worker_.resume(*this);
}

async::Turn BackgroundIo::turn() const noexcept {
  const MutexLock lock(mutex_);
  if (writes_.empty()) return {};
  const FullSlot& first = writes_.front();
  async::Turn turn{first.completion.user->pressing(), first.outlet->pace.policy().priority, {}};
  if (!first.completion.user->wanted()) turn.not_before = first.outlet->pace.due();
  return turn;
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
