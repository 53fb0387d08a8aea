// The beginning of every collective call: one reduction determines whether all ranks of an assembly make the
// same call with valid arguments. Collective; one thread.
#pragma once

#include "assembly.h"
#include "proposal.h"

namespace scorpio2012 {

struct Outcome {
  int error = 0;              // the same on all ranks that make this call
  bool same_function = true;  // whether all ranks call the same function, with any arguments
  uint64_t from_rank0 = 0;
  bool mpi_failed = false;
  int shared_by = -1;  // >= 0: some ranks skipped this call, and wait for its arguments from this rank
};

// Returns when all ranks are in the call of this rank; before that, this rank may have to make a block write
// that it skipped.
Outcome meet(Assembly& assembly, const Proposal& proposal);

}  // namespace scorpio2012
