#include "transfer/slot_io.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
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

// What waits together is written together: none of it is done before all is.
void SlotIo::write_all_in_front() {
  size_t writes = 0;
  while (writes < queue_.size() && std::holds_alternative<FullSlot>(queue_.at(writes))) ++writes;
  for (const size_t i : in_file_order(writes)) writer_.add(std::get<FullSlot>(queue_.at(i)));
  writer_.finish();
  for (; writes > 0; --writes) std::get<FullSlot>(queue_.pop()).completion.done();
}

// Places in the queue of the first `writes` slots. A unit that a variable only begins in is closed after
// those that it fills, and is joined with them nevertheless. Where a unit is written twice the order stays.
std::span<const size_t> SlotIo::in_file_order(size_t writes) {
  const auto place = [this](size_t i) {
    const FullSlot& slot = std::get<FullSlot>(queue_.at(i));
    return std::pair(slot.outlet, slot.unit.number);
  };
  const auto end = order_.begin() + static_cast<std::ptrdiff_t>(writes);
  std::iota(order_.begin(), end, size_t{0});
  std::sort(order_.begin(), end, [&](size_t a, size_t b) { return place(a) < place(b); });
  const auto twice =
      std::adjacent_find(order_.begin(), end, [&](size_t a, size_t b) { return place(a) == place(b); });
  if (twice != end) std::iota(order_.begin(), end, size_t{0});
  return std::span(order_).first(writes);
}

void SlotIo::read_front() {
  const Item item = queue_.pop();
  const EmptySlot& slot = std::get<EmptySlot>(item);
  reader_.fill(slot);
  slot.completion.done();
}

}  // namespace scorpio::transfer
