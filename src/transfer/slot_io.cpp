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

void SlotIo::run() noexcept {
  submitted_ = false;
  if (!writes_.empty()) {
    while (!writes_.empty()) batch_.add(writes_.pop());
    batch_.carry_out(false);
  }
  reads_.fill_some();
  if (!reads_.empty()) submit();
}

void SlotIo::drop(const exchange::FileIo& file_io) {
  for (size_t left = writes_.size(); left > 0; --left) {
    FullSlot slot = writes_.pop();
    if (slot.file_io != &file_io) writes_.push(std::move(slot));
  }
  reads_.drop(file_io);
}

}  // namespace scorpio::transfer
