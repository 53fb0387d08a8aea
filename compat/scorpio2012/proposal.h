// What a rank says of its call when the ranks compare their calls (meeting.h). Local; pure.
#pragma once

#include <cstdint>

#include "common.h"

namespace scorpio2012 {

struct Proposal {
  CallHash call;
  int error = 0;                // failure of this rank's arguments
  bool may_be_skipped = false;  // a block write: ranks without data may be in a later call
  uint64_t from_rank0 = 0;      // a value of rank 0; ignored on other ranks
};

}  // namespace scorpio2012
