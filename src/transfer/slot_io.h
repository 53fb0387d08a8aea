// The I/O phase of one channel: writes its full slots, and then fills its empty ones, on an executor.
// Independent; one thread adds slots and runs the executor.
#pragma once

#include <cstddef>

#include "async/executor.h"
#include "exchange/io_phase/full_slot.h"
#include "observe/counters.h"
#include "transfer/announced_queue.h"
#include "transfer/read_queue.h"
#include "transfer/write_batch.h"

namespace scorpio::transfer {

class SlotIo final : public exchange::IoPhase, private async::Work {
 public:
  // `slots`: the number of slots that the channel has on this I/O rank. `executor` and `counters` outlive
  // this object.
  SlotIo(size_t slots, async::Executor& executor, observe::Counters& counters)
      : executor_(executor), writes_(slots), reads_(slots, counters), batch_(slots, &counters) {}

  // Slots that are not done keep their state.
  ~SlotIo() override { executor_.withdraw(*this); }

  void write(exchange::FullSlot slot) override;
  void read(const exchange::EmptySlot& slot) override;
  bool progress() override { return executor_.progress(); }
  void drop(const exchange::FileIo& file_io) override;

 private:
  void submit();
  void run() noexcept override;
  void write_all_in_front();
  void announce_writes();

  async::Executor& executor_;
  AnnouncedQueue<exchange::FullSlot> writes_;
  ReadQueue reads_;
  WriteBatch batch_;
  bool submitted_ = false;
};

}  // namespace scorpio::transfer
