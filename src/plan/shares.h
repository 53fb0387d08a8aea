// Elements that no rank holds, and how ranks divide work on elements among them. Local and pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decomp/runs.h"

namespace scorpio::plan {

// What `held` (sorted, disjoint) leaves of [0, total).
std::vector<decomp::Interval> holes(std::span<const decomp::Interval> held, int64_t total);

// The elements of `intervals` (sorted, disjoint) that fall to `rank` when `ranks` ranks take equal shares in
// rank order. All have the place 0 in the rank's buffer.
decomp::RunList share_of(std::span<const decomp::Interval> intervals, int rank, int ranks);

}  // namespace scorpio::plan
