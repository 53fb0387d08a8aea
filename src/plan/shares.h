// The elements that no rank holds, and the division of work on elements among ranks. Local and pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decomp/runs.h"

namespace scorpio::plan {

// The complement of `held` (sorted, disjoint) in [0, total).
std::vector<decomp::Interval> holes(std::span<const decomp::Interval> held, int64_t total);

// The share of `rank` if the elements of `intervals` (sorted, disjoint) are divided equally among `ranks`
// ranks in rank order. All elements have position 0 in the rank's buffer.
decomp::RunList share_of(std::span<const decomp::Interval> intervals, int rank, int ranks);

}  // namespace scorpio::plan
