#include "exchange/link/shared_bell.h"

#include <algorithm>
#include <chrono>

#include "comm/futex.h"

namespace scorpio::exchange {

namespace {

// A wake-up can be missing only if a rank died, which ends the job. The worker checks after this time.
constexpr std::chrono::microseconds k_nap{10000000};

}  // namespace

void ring(WorkerBell& bell) {
  bell.rung.fetch_add(1);
  if (bell.sleeping.load() != 0) comm::futex_wake_all(bell.rung);
}

void SharedBell::wait(uint32_t seen, async::Time until) {
  std::chrono::microseconds nap = k_nap;
  if (until != async::Time::max()) {
    const auto left = until - std::chrono::steady_clock::now();
    nap = std::clamp(std::chrono::ceil<std::chrono::microseconds>(left), std::chrono::microseconds(0), k_nap);
  }
  bell_.sleeping.store(1);
  if (bell_.rung.load() == seen) comm::futex_wait(bell_.rung, seen, nap);
  bell_.sleeping.store(0);
}

}  // namespace scorpio::exchange
