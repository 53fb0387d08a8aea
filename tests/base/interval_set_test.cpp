// A set of addresses, against a plain array.
#include "base/interval_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace scorpio {
namespace {

constexpr size_t k_universe = 64;

RC_GTEST_PROP(IntervalSetProperty, BehavesAsASetOfAddresses, ()) {
  IntervalSet set;
  std::array<bool, k_universe> oracle = {};
  const int steps = *rc::gen::inRange(1, 40);
  for (int step = 0; step < steps; ++step) {
    const auto begin = *rc::gen::inRange<uint64_t>(0, k_universe);
    const auto end = *rc::gen::inRange<uint64_t>(begin, k_universe + 1);
    const bool adding = *rc::gen::arbitrary<bool>();
    adding ? set.add({begin, end}) : set.erase({begin, end});
    for (uint64_t i = begin; i < end; ++i) oracle[i] = adding;
    uint64_t previous_end = 0;
    for (const auto& [from, to] : set.ranges()) {
      RC_ASSERT(from < to);
      RC_ASSERT(from > previous_end || (from == 0 && previous_end == 0));
      previous_end = to;
    }
    for (uint64_t i = 0; i < k_universe; ++i) RC_ASSERT(set.covers({i, i + 1}) == oracle[i]);
  }
}

}  // namespace
}  // namespace scorpio
