// Waiting for messages: MPI cannot wake a rank, so the rank checks repeatedly. Local; one thread.
#pragma once

#include <chrono>

namespace scorpio::comm {

// One wait. Ranks that spin on shared cores delay the ranks for which they wait: with several spinning ranks
// on a core, a broadcast takes a hundred times as long as with sleeping ones.
class Pause {
 public:
  // Is called between two checks. Yields the core for a short time at first, then sleeps.
  void rest();

 private:
  using Clock = std::chrono::steady_clock;
  bool sleeps_ = false;
  Clock::time_point begin_{}, last_{};
};

}  // namespace scorpio::comm
