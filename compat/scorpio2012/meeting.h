// The beginning of every collective call: all ranks of an assembly learn in one reduction whether they call
// the same thing with arguments that are right. Collective; one thread.
#pragma once

#include "assembly.h"
#include "common.h"

namespace scorpio2012 {

struct Proposal {
  CallHash call;
  int error = 0;                // of this rank's arguments
  bool may_be_skipped = false;  // a block write: ranks without data may be in a later call
  uint64_t from_rank0 = 0;      // what only rank 0 knows; counts on rank 0 alone
};

struct Outcome {
  int error = 0;              // the same on all ranks that call this
  bool same_function = true;  // whether all ranks call it, with whatever arguments
  uint64_t from_rank0 = 0;
  int shared_by = -1;  // >= 0: some ranks skip this call and wait to hear of it from this rank
};

// Comes back when this rank's call has its turn: before that it may help in a block write that it skipped.
Outcome meet(Assembly& assembly, const Proposal& proposal);

}  // namespace scorpio2012
