// A data call, once it is checked, as operations of the file's channel. Collective in order.
#pragma once

#include "session/core.h"
#include "session/data_call.h"
#include "session/library_reads.h"
#include "transfer/slab_flow.h"

namespace scorpio::session {

// One operation; but with contiguous domains one for each variable, so that a byte has the same owner in all,
// and where a variable is stored in chunks, because what it covers of raw space differs from the others.
Status put_parts(Core& core, const DataCall& call, const transfer::Cover& cover);

// One operation, but one for each variable where the format's library has to read, domains are
// contiguous, or variables are stored in chunks.
Status get_parts(Core& core, LibraryReads& reads, const DataCall& call);

}  // namespace scorpio::session
