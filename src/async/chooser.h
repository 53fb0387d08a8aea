// Chooses the work that a worker runs next. Pure; one thread.
#pragma once

#include <cstddef>
#include <limits>

#include "async/executor.h"

namespace scorpio::async {

// Of the works that may run now: first one for which somebody waits, then one of the highest priority; of
// several such works the one that is offered first.
class Chooser {
 public:
  static constexpr size_t k_none = std::numeric_limits<size_t>::max();

  explicit Chooser(Time now) : now_(now) {}

  void offer(size_t work, const Turn& turn) {
    if (!turn.pressing && turn.not_before > now_) {
      if (turn.not_before < soonest_) soonest_ = turn.not_before;
    } else if (chosen_ == k_none || turn.precedes(best_)) {
      chosen_ = work;
      best_ = turn;
    }
  }
  // k_none: no work may run now.
  size_t chosen() const { return chosen_; }
  const Turn& turn_of_chosen() const { return best_; }
  // The time at which the first of the works that may not run now may run; Time::max() if there are none.
  Time soonest() const { return soonest_; }

 private:
  const Time now_;
  size_t chosen_ = k_none;
  Turn best_;
  Time soonest_ = Time::max();
};

}  // namespace scorpio::async
