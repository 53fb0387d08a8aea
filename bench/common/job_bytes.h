// The bytes that a job moves, for programs that move them without its map. Local.
#pragma once

#include <cstdint>

#include "common/arguments.h"
#include "common/pattern_side.h"
#include "common/scattered.h"
#include "common/workload.h"

namespace bench {

// `ranks`: of the job, if the arguments do not say it.
inline int64_t bytes_of_job(const Arguments& arguments, int ranks) {
  const int job_ranks = arguments.job_ranks > 0 ? arguments.job_ranks : ranks;
  if (!arguments.input.empty()) return read_scattered(arguments.input, 0, job_ranks).bytes(arguments.read);
  if (is_pattern(arguments.workload)) return make_pattern(sizes_of(arguments), 0, job_ranks).bytes();
  return make_workload(arguments.workload, arguments.extent, arguments.variables).bytes();
}

}  // namespace bench
