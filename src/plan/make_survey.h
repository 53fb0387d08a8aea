// Surveys the elements of all ranks when a decomposition is made. Collective where stated.
#pragma once

#include <optional>

#include "base/result.h"
#include "comm/group.h"
#include "comm/node_map.h"
#include "decomp/local_part.h"
#include "plan/survey.h"

namespace scorpio::plan {

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

}  // namespace scorpio::plan
