// A workload of the command line, the block of it that this rank holds, and its elements in memory.
#pragma once

#include "common/arguments.h"
#include "common/buffers.h"
#include "common/stopwatch.h"
#include "common/workload.h"
#include "common/world.h"

namespace bench {

class BlockJob {
 public:
  // Local. `reuse`: one buffer for all variables.
  explicit BlockJob(const Arguments& arguments, bool reuse = false)
      : workload(make_workload(arguments.workload, arguments.extent, arguments.variables)),
        box(part_of(workload, world.rank, world.ranks)),
        buffers(workload, box, reuse) {}
  BlockJob(const BlockJob&) = delete;
  BlockJob& operator=(const BlockJob&) = delete;

  // Prints the outcome. With the argument `verify` it compares what was read, unless the caller has done so.
  // Collective over MPI_COMM_WORLD.
  void print(const Arguments& arguments, Outcome outcome) const {
    const bool compared = outcome.wrong_elements >= 0;
    if (arguments.read && arguments.verify && !compared) outcome.wrong_elements = buffers.wrong_all();
    print_result(arguments, workload.bytes(), outcome);
  }

  const World world;
  const Workload workload;
  const Box box;
  Buffers buffers;  // refers to the workload and the box
};

}  // namespace bench
