// Fills slots from the sources of their files. Independent; one thread.
#pragma once

#include "exchange/io_phase/full_slot.h"
#include "observe/counters.h"

namespace scorpio::transfer {

class Reader {
 public:
  explicit Reader(observe::Counters& counters) : counters_(counters) {}

  // The slot will be filled, and until then nobody else uses its memory: ranks that wait decode chunks of it.
  // A failure is recorded in its FileIo.
  void announce(const exchange::EmptySlot& slot);
  // After a failure, which is recorded in its FileIo, the bytes of the slot are zero.
  void fill(const exchange::EmptySlot& slot);

 private:
  observe::Counters& counters_;
};

// Nobody uses the memory of a slot that was announced to its source afterwards.
void end_announced_reads(const exchange::EmptySlot& slot);

}  // namespace scorpio::transfer
