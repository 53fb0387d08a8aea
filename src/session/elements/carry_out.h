// Carries out a checked data call as operations of the file's channel. Collective in order.
#pragma once

#include "session/state/data_call.h"
#include "session/state/file_transfer.h"
#include "session/state/library_reads.h"
#include "transfer/slab_flow.h"

namespace scorpio::session {

// One operation. One for each variable if the file domains are contiguous, because a byte must have the same
// owner in every call, or if a variable is stored in chunks, because its range of raw space differs from
// those of the others. The call has no slabs and no parts after it.
Status put_parts(FileTransfer& file, DataCall& call, const transfer::Cover& cover);

// One operation. One for each variable if the format's library reads it, if the file domains are contiguous,
// or if a variable is stored in chunks.
Status get_parts(FileTransfer& file, LibraryReads& reads, const DataCall& call);

}  // namespace scorpio::session
