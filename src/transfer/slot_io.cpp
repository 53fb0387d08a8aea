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
    batch_.carry_out_announced(writes_.pop());
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
  const size_t own = writes_.any_announced() ? 0 : 1;
  writes_.announce([&](FullSlot& slot) {
    if (!has_chunks(slot)) return false;
    pieces += announce(slot);
    return true;
  });
  if (pieces > own) writes_.front().completion.user->call_helpers(pieces - own);
}

void SlotIo::drop(const exchange::FileIo& file_io) {
  writes_.drop(file_io, [&](const FullSlot&) { end_announced(file_io); });
  reads_.drop(file_io);
}

}  // namespace scorpio::transfer
