// Binds the slots of a channel's activations (common_slots.h), for one rank: in the order in which they were
// opened. Without slots in common every function returns at once. Never waits. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "async/bounded_queue.h"
#include "exchange/link/link.h"
#include "exchange/memory/common_slots.h"

namespace scorpio::exchange {

class SlotBinder {
 public:
  explicit SlotBinder(Link& link);

  // An activation was opened, in the present call or, if it has its tag already, in an earlier one: it gets
  // its tag. All activations are named, in the order of opening; one may be named twice.
  void expect(plan::SlotUse& activation) {
    if (in_use()) expect_common(activation);
  }
  // Whether the slot of the activation is bound now. If another rank, which has made other calls, has bound
  // it for another activation, the channel fails.
  bool bind(const plan::SlotUse& activation) { return !in_use() || bind_common(activation); }
  // Whether the channel has slots in common with others.
  bool in_use() const { return link_.common().in_use(); }

 private:
  struct Owner {
    async::BoundedQueue<Opened> pending;  // the last of those that this rank has not seen bound
    uint64_t expected = 0;                // number of activations that were named
  };
  // The activations before the first of the list are bound by other ranks.
  static uint64_t left_to_others(const Owner& owner) {
    return owner.pending.empty() ? owner.expected : owner.pending.front().opening;
  }
  void forget_bound(Owner& owner, uint64_t bound);
  void expect_common(plan::SlotUse& activation);
  bool bind_common(const plan::SlotUse& activation);

  Link& link_;
  std::vector<Owner> owners_;  // [I/O ranks]
};

}  // namespace scorpio::exchange
