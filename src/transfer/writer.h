// Writes full slots to the sinks of their files, neighbours with one call. Independent; one thread at a time.
#pragma once

#include <cstddef>

#include "exchange/full_slot.h"
#include "observe/counters.h"
#include "plan/domains.h"

namespace scorpio::transfer {

class Writer {
 public:
  // `counters`: null where another thread makes the calls: what is done is counted in the outlets then.
  explicit Writer(observe::Counters* counters) : counters_(counters) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // In file order where they are to be joined. What is added may be written at once, or by finish().
  void add(exchange::FullSlot& slot);
  // All that was added is written; failures are noted in the outlets.
  void finish();

 private:
  void add_range(const exchange::FullSlot& slot, ByteRange range);
  void write();

  observe::Counters* counters_;
  // Of one file, not yet written; empty: nothing.
  exchange::Outlet* outlet_ = nullptr;
  ByteRange range_{0, 0};
  const std::byte* bytes_ = nullptr;
  uint64_t rounds_ = 0;  // to be counted in the next outlet
};

}  // namespace scorpio::transfer
