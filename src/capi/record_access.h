// Collective accesses by a decomposition of all dimensions of a variable with records, which are carried out
// record by record.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "scorpio/scorpio.h"
#include "session/elements/call_checks.h"
#include "session/file.h"

namespace scorpio::capi {

// The number of records of such an access by `decomposition` (null: it is invalid); 0 for any other access by
// a decomposition, and for an invalid one. Local; the same on all ranks that pass the same variable and
// decomposition.
inline int64_t records_of(const session::File& file, const scorpio_access& access,
                          const session::Decomposition* decomposition, bool reading) {
  if (decomposition == nullptr || access.record != 0) return 0;
  const Result<const model::Variable*> variable = file.variable(access.variable);
  const bool records = variable.ok() && (*variable)->records;
  return records ? session::records_one_by_one(**variable, *decomposition, reading) : 0;
}

// Collective in order; a put costs no message. `move`: that of the access, or a failure of this rank. A get
// ends with the same status on all ranks.
Status move_records(session::File& file, const Result<std::vector<session::Move>>& move,
                    const session::Decomposition& decomposition, int64_t records, bool reading);

}  // namespace scorpio::capi
