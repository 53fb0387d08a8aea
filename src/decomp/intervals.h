// Lists of intervals of elements: joined where they touch, with small gaps closed, and reduced to few. Local;
// thread-safe (pure functions).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "decomp/runs.h"

namespace scorpio::decomp {

// Adds an interval that does not begin before the last one; extends the last one if they touch or overlap.
inline void append(std::vector<Interval>& intervals, const Interval& next) {
  if (!intervals.empty() && next.begin <= intervals.back().end) {
    intervals.back().end = std::max(intervals.back().end, next.end);
  } else {
    intervals.push_back(next);
  }
}

// Adds the intervals of `next`, which follow those of `intervals`.
inline void append(std::vector<Interval>& intervals, const std::vector<Interval>& next) {
  for (const Interval& interval : next) append(intervals, interval);
}

// The same elements as sorted, disjoint intervals that do not touch.
void join(std::vector<Interval>& intervals);

// Closes the gaps of at most `longest` elements between sorted, disjoint intervals.
void close_gaps(std::vector<Interval>& intervals, int64_t longest);

// The global ranges that the intervals cover together: sorted, disjoint, not touching. More than
// `max_intervals` (at least 1) are reduced to that number by closing the smallest gaps, the later of equal
// ones.
std::vector<Interval> merge(std::vector<Interval> intervals, size_t max_intervals);

// The same for the elements of a list. Its cost depends on segments and max_intervals, not on runs, unless
// elements are held twice.
std::vector<Interval> coverage(const RunList& list, size_t max_intervals);

}  // namespace scorpio::decomp
