// The I/O phase of one channel with the option `asynchronous`: a worker thread writes the slots while the
// program is outside of library calls. Reads are made inside library calls, because the application may also
// use the library that reads (HDF5). Independent; the thread of the calls or the worker adds slots, one at a
// time; the worker writes them.
#pragma once

#include <cstddef>

#include "async/bounded_queue.h"
#include "async/executor.h"
#include "base/mutex.h"
#include "exchange/io_phase/full_slot.h"
#include "observe/backlog.h"
#include "observe/counters.h"
#include "transfer/read_queue.h"
#include "transfer/write_batch.h"

namespace scorpio::transfer {

class BackgroundIo final : public exchange::IoPhase, private async::Work {
 public:
  // `slots`: the number of slots that the channel has on this I/O rank; `part`: the most that are written
  // before a channel for which somebody waits gets its turn. `worker` and `counters` outlive this object.
  // `backlog`: of the I/O rank; null: it is not recorded.
  BackgroundIo(size_t slots, size_t part, async::Executor& worker, observe::Counters& counters,
               observe::Backlog* backlog = nullptr);
  // Waits for the write in progress. Other slots are not written and stay full.
  ~BackgroundIo() override {
    leave();
    worker_.withdraw(*this);
  }

  void write(exchange::FullSlot slot) override;
  // All earlier writes to the unit are done.
  void read(const exchange::EmptySlot& slot) override { reads_.push(slot); }
  bool progress() override;
  void drop(const exchange::FileIo& file_io) override;
  void attend(exchange::SlotsToCome& slots) override;
  void leave() override;

 private:
  class Looking final : public async::Work {
   public:
    void run() noexcept override { slots->look(); }
    exchange::SlotsToCome* slots = nullptr;
  };

  void run() noexcept override;
  async::Turn turn() const noexcept override;
  // The slots that one run writes.
  struct Part {
    exchange::FileIo* limited = nullptr;  // the file whose limit on the rate applies; null: none does
    uint64_t slots = 0, bytes = 0;
    bool more = false;  // further slots wait
  };
  Part take_part();
  void tell_backlog() const;

  async::Executor& worker_;
  observe::Backlog* const backlog_;
  ReadQueue reads_;
  const size_t part_;
  mutable Mutex mutex_;
  async::BoundedQueue<exchange::FullSlot> writes_ GUARDED_BY(mutex_);
  bool submitted_ GUARDED_BY(mutex_) = false;
  WriteBatch batch_;  // of the worker
  Looking looking_;
};

}  // namespace scorpio::transfer
