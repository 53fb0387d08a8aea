// Full slots that are written together: none of them is done before all are. Independent; one thread at a
// time.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "exchange/full_slot.h"
#include "transfer/writer.h"

namespace scorpio::transfer {

class WriteBatch {
 public:
  // At most so many `slots` at a time. `counters` as Writer has it.
  WriteBatch(size_t slots, observe::Counters* counters) : order_(slots), writer_(counters) {
    slots_.reserve(slots);
  }

  void add(exchange::FullSlot slot) { slots_.push_back(std::move(slot)); }
  // Writes them, in file order where no unit is among them twice, and tells who waits for them.
  void carry_out();

 private:
  std::span<const size_t> in_file_order();

  std::vector<exchange::FullSlot> slots_;
  std::vector<size_t> order_;  // [slots]
  Writer writer_;
};

}  // namespace scorpio::transfer
