// A set of elements, described by at most a given number of ranges with equal distances. If the set needs
// more of them, the description includes further elements. Pure index arithmetic. Local; thread-safe (pure
// functions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "decomp/runs.h"

namespace scorpio::decomp {

// `count` intervals of `length` elements, each `stride` elements behind the one before. If count > 1, then
// length < stride; otherwise the stride is 0.
struct StridedRange {
  int64_t begin = 0;
  int64_t length = 0;
  int64_t count = 1;
  int64_t stride = 0;

  int64_t end() const { return begin + (count - 1) * stride + length; }
  int64_t elements() const { return count * length; }
  friend bool operator==(const StridedRange&, const StridedRange&) = default;
};

struct CoarseSet {
  std::vector<StridedRange> ranges;  // sorted; each begins at or behind the end of the one before
  bool exact = true;                 // false: `ranges` may contain elements that are not in the set

  int64_t elements() const;
  friend bool operator==(const CoarseSet&, const CoarseSet&) = default;
};

// Whether one of the ranges (sorted, as in CoarseSet) has an element in [begin, end). One bisection.
bool any_in(std::span<const StridedRange> ranges, int64_t begin, int64_t end);

// The elements of a list in which no element occurs twice, in at most `most` ranges (at least 1). The
// smallest gaps are closed first. Its cost depends on the segments of the list, not on its runs.
CoarseSet coarse_set(const RunList& list, size_t most);

// The union of sets, which may overlap, in at most `most` ranges (at least 1).
CoarseSet united(std::span<const CoarseSet> sets, size_t most);

// The intervals of the ranges.
std::vector<Interval> intervals_of(std::span<const StridedRange> ranges);

}  // namespace scorpio::decomp
