// The exchange of runs in a survey: finds the elements that ranks hold, and those that several ranks hold, if
// these follow neither from the extents of the ranks' parts nor from a sum over all ranks.
#pragma once

#include <cstdint>

#include "comm/group.h"
#include "plan/survey.h"

namespace scorpio::plan {

// Sets the coverage, whether it is exact and whether ranks overlap, and removes from `survey.write_runs` what
// higher ranks write. Collective; all ranks return the same status, a failure if `so_far` of one is. In each
// round a rank swaps lists with one other rank for each binary digit of the number of ranks, twice if some
// rank overlaps another one, and once more after the last round.
Status exchange_runs(const comm::Group& comm, const Status& so_far, int64_t most_runs, Survey& survey);

}  // namespace scorpio::plan
