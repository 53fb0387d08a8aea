// The survey of a decomposition whose parts one process has all: what survey() would give each rank of a job,
// without the job. Local and pure.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "comm/node_map.h"
#include "decomp/local_part.h"
#include "plan/survey.h"

namespace scorpio::plan {

struct WholeSurvey {
  Survey common;                            // without the runs of a rank
  std::vector<decomp::RunList> write_runs;  // [ranks] as Survey::write_runs
  std::vector<decomp::Interval> held;  // the elements that ranks hold, also where the coverage is not exact
  int64_t shared = 0;                  // elements of ranks that a higher rank holds and writes
};

// `parts` [ranks], of the same array; at least one. `nodes` are those of these ranks.
Result<WholeSurvey> whole_survey(std::span<const decomp::LocalPart> parts, const comm::NodeMap& nodes);

}  // namespace scorpio::plan
