// The slots of one channel that are to be filled, in order. Independent; one thread.
#pragma once

#include <cstddef>

#include "exchange/io_phase/full_slot.h"
#include "observe/counters.h"
#include "transfer/announced_queue.h"
#include "transfer/reader.h"

namespace scorpio::transfer {

class ReadQueue {
 public:
  // `slots`: the number of slots that the channel has on this I/O rank. `counters` outlives this object.
  ReadQueue(size_t slots, observe::Counters& counters) : slots_(slots), reader_(counters) {}

  bool empty() const { return slots_.empty(); }
  // All earlier writes to the unit are done.
  void push(const exchange::EmptySlot& slot) { slots_.push(slot); }
  // Announces all slots, and fills them in order: one of them if other ranks decode chunks of its source, so
  // that those that become free meanwhile are announced before the next one is filled.
  void fill_some();
  // Takes out the slots of a file; others keep their order.
  void drop(const exchange::FileIo& file_io) { slots_.drop(file_io, end_announced_reads); }

 private:
  AnnouncedQueue<exchange::EmptySlot> slots_;
  Reader reader_;
};

}  // namespace scorpio::transfer
