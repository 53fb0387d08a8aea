// The elements that all ranks together hold in a decomposition: coverage, overlaps, and those of each node.
// Computed once, when the decomposition is made; every later put and get is planned from it without a
// message.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "comm/group.h"
#include "comm/node_map.h"
#include "decomp/local_part.h"
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

// Collective over comm. If `mine` is a failure, `part` is ignored and all ranks return that failure. Costs
// one reduction and a gather by nodes (gather_node_sets()). If the elements of the nodes do not determine
// the result, another reduction if all elements may be held once, and if they are not, an exchange of runs in
// several rounds, which bounds its memory, and gather_cells() after it if long gaps had to be closed.
// Code::mismatch if extents differ between ranks.
Result<Survey> survey(const comm::Group& comm, const comm::NodeMap& nodes, const Status& mine,
                      const decomp::LocalPart& part);

// The survey of a part that all ranks know, and that `holder` alone holds, or all ranks if there is no
// holder. Local: no message is needed. `part` keeps the runs that this rank holds.
Survey survey_of_known_part(const comm::NodeMap& nodes, int rank, std::optional<int> holder,
                            decomp::LocalPart& part);

// The elements of `window`, whose first one becomes element 0, as an array of their own. Local. The elements
// of a node are described by one range.
Survey survey_within(const Survey& survey, const decomp::Interval& window);

}  // namespace scorpio::plan
