// The I/O phase of one channel whose slots are written by a worker thread while no call is made. Slots are
// filled from files inside calls, because a library that reads them may be the application's too.
// Independent; one thread gives slots, the worker writes them.
#pragma once

#include <cstddef>

#include "async/bounded_queue.h"
#include "async/executor.h"
#include "base/mutex.h"
#include "exchange/full_slot.h"
#include "observe/counters.h"
#include "transfer/reader.h"
#include "transfer/write_batch.h"

namespace scorpio::transfer {

class BackgroundIo final : public exchange::IoPhase, private async::Work {
 public:
  // `slots`: that the channel has of this I/O rank. `worker` and `counters` outlive this.
  BackgroundIo(size_t slots, async::Executor& worker, observe::Counters& counters);
  // Waits for what is being written; other slots are dropped, and stay full.
  ~BackgroundIo() override { worker_.withdraw(*this); }

  void write(exchange::FullSlot slot) override;
  // All writes of the file's unit are done.
  void read(const exchange::EmptySlot& slot) override { reads_.push(slot); }
  bool progress() override;
  void drop(const exchange::Outlet& outlet) override;

 private:
  void run() noexcept override;

  async::Executor& worker_;
  async::BoundedQueue<exchange::EmptySlot> reads_;
  Reader reader_;
  Mutex mutex_;
  async::BoundedQueue<exchange::FullSlot> writes_ GUARDED_BY(mutex_);
  bool submitted_ GUARDED_BY(mutex_) = false;
  WriteBatch batch_;  // of the worker
};

}  // namespace scorpio::transfer
