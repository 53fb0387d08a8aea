#include "transfer/slot_io.h"

#include <utility>

namespace scorpio::transfer {

using exchange::EmptySlot;
using exchange::FullSlot;

void SlotIo::write(FullSlot slot) {
  writes_.push(std::move(slot));
  submit();
}

void SlotIo::read(const EmptySlot& slot) {
  reads_.push(slot);
  submit();
}

void SlotIo::submit() {
  if (!std::exchange(submitted_, true)) executor_.submit(*this);
}

namespace {

// Whether other ranks may encode chunks of the slot.
bool has_chunks(const FullSlot& slot) { return slot.file_io->takes_announcements(slot.unit); }

}  // namespace

// If other ranks encode or decode chunks, one slot is written or filled in a run: those that became full or
// free meanwhile are announced before the next one, so that these ranks need not wait for the last slot.
void SlotIo::run() noexcept {
  submitted_ = false;
  if (!writes_.empty() && !has_chunks(writes_.front())) write_all_in_front();
  if (writes_.empty()) {
    reads_.fill_some();
  } else {
    announce_writes();
    write_front();
  }
  if (!writes_.empty() || !reads_.empty()) submit();
}

void SlotIo::write_all_in_front() {
  while (!writes_.empty() && !has_chunks(writes_.front())) batch_.add(writes_.pop());
  batch_.carry_out(false);
}

// This rank takes one of the pieces, if none was announced before.
void SlotIo::announce_writes() {
  size_t pieces = 0;
  const size_t own = announced_ == 0 ? 1 : 0;
  for (; announced_ < writes_.size() && has_chunks(writes_.at(announced_)); ++announced_)
    pieces += announce(writes_.at(announced_));
  if (pieces > own) writes_.front().completion.user->call_helpers(pieces - own);
}

void SlotIo::write_front() {
  --announced_;
  batch_.carry_out_announced(writes_.pop());
}

void SlotIo::drop(const exchange::FileIo& file_io) {
  size_t announced = 0;
  for (size_t i = 0, all = writes_.size(); i < all; ++i) {
    FullSlot slot = writes_.pop();
    if (slot.file_io != &file_io) {
      writes_.push(std::move(slot));
      announced += i < announced_ ? 1 : 0;
    } else if (i < announced_) {
      end_announced(file_io);
    }
  }
  announced_ = announced;
  reads_.drop(file_io);
}

}  // namespace scorpio::transfer
