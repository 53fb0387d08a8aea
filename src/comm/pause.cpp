#include "comm/pause.h"

#include <sched.h>

#include <thread>

namespace scorpio::comm {

namespace {

using std::chrono::microseconds;
// If a check and a yield take longer than this, another process has used the core.
constexpr microseconds k_core_is_shared{50};
// Messages between ranks with cores of their own arrive within this time.
constexpr microseconds k_longest_spin{200};
constexpr microseconds k_nap{50};

}  // namespace

void Pause::rest() {
  if (sleeps_) return std::this_thread::sleep_for(k_nap);
  sched_yield();
  const Clock::time_point now = Clock::now();
  if (begin_ == Clock::time_point{}) begin_ = last_ = now;
  sleeps_ = now - last_ > k_core_is_shared || now - begin_ > k_longest_spin;
  last_ = now;
}

}  // namespace scorpio::comm
