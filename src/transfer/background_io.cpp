#include "transfer/background_io.h"

#include <utility>

namespace scorpio::transfer {

using exchange::FullSlot;

BackgroundIo::BackgroundIo(size_t slots, size_t part, async::Executor& worker, observe::Counters& counters,
                           observe::Backlog* backlog)
    : worker_(worker),
      backlog_(backlog),
      reads_(slots, counters),
      part_(part),
      writes_(slots),
      batch_(part_, nullptr) {}

namespace {

uint64_t bytes_of(const FullSlot& slot) { return slot.unit.bytes.end - slot.unit.bytes.begin; }

void tell_queued(const exchange::FileIo& file_io) {
  observe::trace_number(observe::Activity::queued_slots, file_io.file, file_io.queued_slots());
}

void unqueue(const FullSlot& slot) {
  slot.file_io->unqueue(bytes_of(slot));
  tell_queued(*slot.file_io);
}

}  // namespace

void BackgroundIo::write(FullSlot slot) {
  if (backlog_ != nullptr) {
    backlog_->add(bytes_of(slot));
    slot.file_io->queue(bytes_of(slot));
    tell_queued(*slot.file_io);
    tell_backlog();
  }
  {
    const MutexLock lock(mutex_);
    writes_.push(std::move(slot));
    if (std::exchange(submitted_, true)) return;
  }
  worker_.submit(*this);
}

void BackgroundIo::tell_backlog() const {
  observe::trace_number(observe::Activity::queued_bytes, observe::Event::k_no_file, backlog_->now().bytes);
}

bool BackgroundIo::progress() {
  if (reads_.empty()) return false;
  reads_.fill_some();
  return true;
}

namespace {

// Whether somebody waits for the slot, so that a limit on the rate of its file does not apply.
bool is_waited_for(const FullSlot& slot) {
  return slot.completion.user->pressing() || slot.completion.user->wanted();
}

}  // namespace

// Adds the slots of the next part to the batch. A part to which a limit applies has slots of one file alone.
// The slots of a batch are written in the order of the file, so that all of them belong to one round.
BackgroundIo::Part BackgroundIo::take_part() {
  const MutexLock lock(mutex_);
  Part part;
  uint64_t round = 0;
  if (!writes_.empty()) {
    const FullSlot& first = writes_.front();
    if (first.file_io->pace.policy().limited() && !is_waited_for(first)) part.limited = first.file_io;
  }
  for (; part.slots < part_ && !writes_.empty(); ++part.slots) {
    const FullSlot& next = writes_.front();
    if (part.slots > 0 && next.round != round) break;
    round = next.round;
    if (part.limited != nullptr &&
        (next.file_io != part.limited || (part.slots > 0 && !part.limited->pace.takes_more(part.bytes)))) {
      break;
    }
    part.bytes += bytes_of(next);
    if (backlog_ != nullptr) unqueue(next);
    batch_.add(writes_.pop());
  }
  part.more = submitted_ = !writes_.empty();
  return part;
}

// Between the parts a channel for which somebody waits, or one of a higher priority, gets its turn. The
// backlog grows until it is sampled here.
void BackgroundIo::run() noexcept {
  const Part part = take_part();
  if (backlog_ != nullptr) backlog_->sample();
  const auto began = exchange::Pace::Clock::now();
  const uint64_t before = batch_.bytes();
  batch_.carry_out(true);
  if (part.limited != nullptr) part.limited->pace.wrote(batch_.bytes() - before, began);
  if (backlog_ != nullptr) {
    backlog_->remove(part.slots, part.bytes);
    tell_backlog();
  }
  if (part.more) worker_.resume(*this);
}

async::Turn BackgroundIo::turn() const noexcept {
  const MutexLock lock(mutex_);
  if (writes_.empty()) return {};
  const FullSlot& first = writes_.front();
  async::Turn turn{first.completion.user->pressing(),
                   first.file_io->pace.policy().priority,
                   {},
                   !first.file_io->takes_announcements(first.unit)};
  if (!first.completion.user->wanted()) turn.not_before = first.file_io->pace.due();
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

// The worker refers to FileIos only during a run. If a run was withdrawn, its remaining slots are submitted
// again.
void BackgroundIo::drop(const exchange::FileIo& file_io) {
  reads_.drop(file_io);
  worker_.withdraw(*this);
  {
    const MutexLock lock(mutex_);
    for (size_t left = writes_.size(); left > 0; --left) {
      FullSlot slot = writes_.pop();
      if (slot.file_io != &file_io) {
        writes_.push(std::move(slot));
      } else if (backlog_ != nullptr) {
        backlog_->remove(1, bytes_of(slot));
      }
    }
    submitted_ = !writes_.empty();
    if (!submitted_) return;
  }
  worker_.submit(*this);
}

}  // namespace scorpio::transfer
