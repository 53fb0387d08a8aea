// How a rank waits for messages: MPI has no bell that wakes it, so it looks again and again. Local; one
// thread.
#pragma once

#include <chrono>

namespace scorpio::comm {

// One wait. Ranks that spin on shared cores keep those from working that they wait for: where each of several
// ranks on a core spins, a broadcast takes a hundred times as long as where they sleep.
class Pause {
 public:
  // Between two looks: gives the core away and takes it back at once while nobody else needs it, for a short
  // time; then sleeps.
  void rest();

 private:
  using Clock = std::chrono::steady_clock;
  bool sleeps_ = false;
  Clock::time_point begin_{}, last_{};
};

}  // namespace scorpio::comm
