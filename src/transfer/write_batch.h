// Full slots that are written together. Independent; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "exchange/io_phase/full_slot.h"
#include "transfer/writer.h"

namespace scorpio::transfer {

class WriteBatch {
 public:
  // Has room for `slots` slots. `counters` as in Writer.
  WriteBatch(size_t slots, observe::Counters* counters) : order_(slots), writer_(counters) {
    slots_.reserve(slots);
  }

  void add(exchange::FullSlot slot) { slots_.push_back(std::move(slot)); }
  // Writes the slots, in file order if no unit occurs twice, and calls their completions: when all of them
  // are written or, with `early` or if they have chunks, that of each slot as soon as it is written.
  void carry_out(bool early);
  // Writes a slot that was announced, and that is not one of the batch, which is empty. Calls its completion.
  void carry_out_announced(exchange::FullSlot slot);
  // The number of bytes of all writes so far.
  uint64_t bytes() const { return writer_.bytes(); }

 private:
  std::span<const size_t> in_file_order();
  bool announce(std::span<const size_t> order);

  std::vector<exchange::FullSlot> slots_;
  std::vector<size_t> order_;  // [slots]
  Writer writer_;
};

}  // namespace scorpio::transfer
