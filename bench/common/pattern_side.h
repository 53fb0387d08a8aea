// What the programs that move patterns share: the pattern of the command line, and the result's last words.
// Collective over MPI_COMM_WORLD where results are printed, else local.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "common/arguments.h"
#include "common/pattern.h"
#include "common/pattern_memory.h"
#include "common/stopwatch.h"
#include "common/world.h"

namespace bench {

inline PatternSizes sizes_of(const Arguments& arguments) {
  return {arguments.workload, arguments.form, arguments.extent, arguments.variables, arguments.steps};
}

inline Pattern pattern_of(const Arguments& arguments) {
  const World world;
  return make_pattern(sizes_of(arguments), world.rank, world.ranks);
}

// One JSON line. Reads are compared if that was asked for; `memory` is used up then.
inline void print_pattern_result(const Arguments& arguments, const Pattern& pattern, PatternMemory& memory,
                                 Outcome outcome) {
  if (arguments.read && arguments.verify) outcome.wrong_elements = memory.wrong();
  outcome.extra["steps"] = static_cast<int64_t>(pattern.steps.size());
  outcome.extra["parts"] = static_cast<int64_t>(pattern.steps.front().size());
  print_result(arguments, pattern.bytes(), outcome);
}

}  // namespace bench
