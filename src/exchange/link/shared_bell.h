// The bell of the worker of an I/O rank: in the memory that the ranks of its node share, so that the rank
// that completes a unit wakes it. Any thread.
#pragma once

#include "async/bell.h"
#include "exchange/memory/control.h"

namespace scorpio::exchange {

// Wakes the worker if it sleeps.
void ring(WorkerBell& bell);

class SharedBell final : public async::Bell {
 public:
  // `bell` outlives this.
  explicit SharedBell(WorkerBell& bell) : bell_(bell) {}

  uint32_t rung() const override { return bell_.rung.load(); }
  void ring() override { exchange::ring(bell_); }
  void wait(uint32_t seen, async::Time until) override;

 private:
  WorkerBell& bell_;
};

}  // namespace scorpio::exchange
