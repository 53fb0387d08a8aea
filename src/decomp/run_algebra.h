// Sets of elements: taking away, cutting to a window, and resolving elements held twice. Local; thread-safe
// (pure functions).
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace scorpio::decomp
