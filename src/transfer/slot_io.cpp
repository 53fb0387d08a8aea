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

void SlotIo::run() noexcept {
  submitted_ = false;
  while (!queue_.empty()) {
    if (std::holds_alternative<FullSlot>(queue_.at(0))) {
      write_all_in_front();
    } else {
      read_front();
    }
  }
}

void SlotIo::write_all_in_front() {
  while (!queue_.empty() && std::holds_alternative<FullSlot>(queue_.at(0)))
    batch_.add(std::get<FullSlot>(queue_.pop()));
  batch_.carry_out(false);
}

void SlotIo::drop(const exchange::Outlet& outlet) {
  for (size_t left = queue_.size(); left > 0; --left) {
    Item item = queue_.pop();
    const auto* named = std::visit([](const auto& slot) { return slot.outlet; }, item);
    if (named != &outlet) queue_.push(std::move(item));
  }
}

void SlotIo::read_front() {
  const Item item = queue_.pop();
  const EmptySlot& slot = std::get<EmptySlot>(item);
  reader_.fill(slot);
  slot.completion.done();
}

}  // namespace scorpio::transfer
