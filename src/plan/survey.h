// The elements that all ranks together hold in a decomposition: coverage, overlaps, and those of each node.
// Computed once, when the decomposition is made (make_survey.h); every later put and get is planned from it
// without a message. Local; pure.
#pragma once

#include <cstdint>
#include <vector>

#include "decomp/runs.h"
#include "plan/held_cells.h"
#include "plan/node_sets.h"

namespace scorpio::plan {

// The largest number of intervals of the coverage on each rank (1 MiB). If there are more, the smallest gaps
// are closed and `exact` is false. Unknown gaps cannot be filled in the same operation as the data around
// them; the land of a global map of a tenth of a degree (5010 intervals in E3SM's case I on 16 ranks) must
// fit many times.
inline constexpr size_t k_most_intervals = 65536;
// If all closed gaps are at most so many elements, it costs little to read them.
inline constexpr int64_t k_short_gap = 1024;

struct Survey {
  int64_t total = 0;                       // number of elements of the global array
  std::vector<decomp::Interval> coverage;  // sorted, disjoint; the elements that ranks hold
  bool exact = true;                       // ranks hold every element of `coverage`
  bool overlaps = false;                   // some element is held more than once
  NodeSets nodes;                          // the elements of each node
  decomp::RunList own_runs;    // this rank's runs; of an element that it holds more than once, the last one
  decomp::RunList write_runs;  // own_runs without those that a higher rank writes
  HeldCells cells = {};        // where long gaps of the coverage may have been closed
};

// Whether gaps of the coverage have been closed that are long enough for cells without elements.
bool closed_long_gaps(const Survey& survey);

// The elements of `window`, whose first one becomes element 0, as an array of their own. Local. The elements
// of a node are described by one range.
Survey survey_within(const Survey& survey, const decomp::Interval& window);

}  // namespace scorpio::plan
