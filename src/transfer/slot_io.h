// The I/O phase of one channel: writes or fills its slots, one after the other, on an executor. Independent;
// one thread adds slots and runs the executor.
#pragma once

#include <cstddef>
#include <variant>

#include "async/bounded_queue.h"
#include "async/executor.h"
#include "exchange/io_phase/full_slot.h"
#include "observe/counters.h"
#include "transfer/reader.h"
#include "transfer/write_batch.h"

namespace scorpio::transfer {

class SlotIo final : public exchange::IoPhase, private async::Work {
 public:
  // `slots`: the number of slots that the channel has on this I/O rank. `executor` and `counters` outlive
  // this object.
  SlotIo(size_t slots, async::Executor& executor, observe::Counters& counters)
      : executor_(executor), queue_(slots), batch_(slots, &counters), reader_(counters) {}

  // Slots that are not done keep their state.
  ~SlotIo() override { executor_.withdraw(*this); }

  void write(exchange::FullSlot slot) override { submit(std::move(slot)); }
  void read(const exchange::EmptySlot& slot) override { submit(slot); }
  bool progress() override { return executor_.progress(); }
  void drop(const exchange::FileIo& file_io) override;

 private:
  using Item = std::variant<exchange::FullSlot, exchange::EmptySlot>;

  void submit(Item item);
  void run() noexcept override;
  void write_all_in_front();
  void announce_reads();
  bool read_front();

  async::Executor& executor_;
  async::BoundedQueue<Item> queue_;  // contains a slot at most once
  size_t announced_ = 0;             // of the slots in front, which are empty ones
  WriteBatch batch_;
  Reader reader_;
  bool submitted_ = false;
};

}  // namespace scorpio::transfer
