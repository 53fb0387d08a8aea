// Collective accesses by a decomposition of all dimensions of a variable with records, which are carried out
// record by record.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "scorpio/scorpio.h"
#include "session/file.h"

namespace scorpio::capi {

// The number of records of such an access by `decomposition` (null: it is invalid); 0 for any other access by
// a decomposition, and for an invalid one. Local; the same on all ranks that pass the same variable and
// decomposition.
int64_t records_of(const session::File& file, const scorpio_access& access,
                   const session::Decomposition* decomposition, bool reading);

// Collective in order; a put costs no message. `move`: that of the access, or a failure of this rank. A get
// ends with the same status on all ranks.
Status move_records(session::File& file, const Result<std::vector<session::Move>>& move,
                    const session::Decomposition& decomposition, int64_t records, bool reading);

}  // namespace scorpio::capi
