// Collective data calls by hyperslabs that are the same on all ranks (SCORPIO_ALL_RANKS).
#pragma once

#include "base/result.h"
#include "scorpio/scorpio.h"
#include "session/file.h"

namespace scorpio::capi {

// Collective in order. A put costs no message, and this rank returns its own failures; a get ends with the
// same status on all ranks. `wrong`: the failure of this rank before the access was examined.
Status move_known(session::File& file, const scorpio_access& access, bool reading, const Status& wrong = {});

}  // namespace scorpio::capi
