// Sets of elements: taking away, cutting to a window, resolving elements held twice, and coarse outlines of
// run lists. Local; thread-safe (pure functions).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "decomp/runs.h"

namespace scorpio::decomp {

// `list` without the elements in `intervals`, which are sorted and disjoint. Segments that no interval
// touches stay whole.
RunList without(const RunList& list, const std::vector<Interval>& intervals);

// The elements of `window` alone, whose first one becomes element 0; their positions in the buffer stay.
RunList within(const RunList& list, const Interval& window);

// Does the list hold any global element more than once?
bool has_duplicates(const RunList& list);

// Keeps, of an element that occurs more than once, the last occurrence in the buffer: the value that a write
// stores.
RunList last_wins(const RunList& list);

// The global ranges that the intervals cover together: sorted, disjoint, not touching. More than
// `max_intervals` (at least 1) are reduced to that number by closing the smallest gaps, the later of equal
// ones.
std::vector<Interval> merge(std::vector<Interval> intervals, size_t max_intervals);

// The same for the elements of a list. Its cost depends on segments and max_intervals, not on runs, unless
// elements are held twice.
std::vector<Interval> coverage(const RunList& list, size_t max_intervals);

// Sorted, disjoint intervals without the gaps of at most `most_elements` between them.
std::vector<Interval> close_gaps(std::span<const Interval> intervals, int64_t most_elements);

}  // namespace scorpio::decomp
