#include "transfer/slot_io.h"

#include <utility>

namespace scorpio::transfer {

using exchange::EmptySlot;
using exchange::FullSlot;

void SlotIo::submit(Item item) {
  queue_.push(std::move(item));
  if (std::exchange(submitted_, true)) return;
  executor_.submit(*this);
}

// If other ranks decode chunks, one slot is filled in a run: those that became free meanwhile are announced
// before the next one is filled.
void SlotIo::run() noexcept {
  submitted_ = false;
  for (bool more = true; more && !queue_.empty();) {
    if (std::holds_alternative<FullSlot>(queue_.at(0))) {
      write_all_in_front();
    } else {
      announce_reads();
      more = !read_front();
    }
  }
  if (queue_.empty() || std::exchange(submitted_, true)) return;
  executor_.submit(*this);
}

void SlotIo::write_all_in_front() {
  while (!queue_.empty() && std::holds_alternative<FullSlot>(queue_.at(0)))
    batch_.add(std::get<FullSlot>(queue_.pop()));
  batch_.carry_out(false);
}

void SlotIo::drop(const exchange::FileIo& file_io) {
  size_t announced = 0;
  for (size_t i = 0, all = queue_.size(); i < all; ++i) {
    Item item = queue_.pop();
    const auto* named = std::visit([](const auto& slot) { return slot.file_io; }, item);
    if (named != &file_io) {
      queue_.push(std::move(item));
      announced += i < announced_ ? 1 : 0;
    } else if (i < announced_) {
      end_announced_reads(std::get<EmptySlot>(item));
    }
  }
  announced_ = announced;
}

void SlotIo::announce_reads() {
  for (; announced_ < queue_.size(); ++announced_) {
    const auto* slot = std::get_if<EmptySlot>(&queue_.at(announced_));
    if (slot == nullptr) return;
    reader_.announce(*slot);
  }
}

// Returns whether other ranks decode chunks of the source.
bool SlotIo::read_front() {
  const Item item = queue_.pop();
  --announced_;
  const EmptySlot& slot = std::get<EmptySlot>(item);
  reader_.fill(slot);
  const bool shares = slot.source->decoding() != nullptr;
  slot.completion.done();
  return shares;
}

}  // namespace scorpio::transfer
