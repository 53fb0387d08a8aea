// What can be done with the elements of a variable, as far as the variable itself and its placement decide
// it: the same on all ranks. Local and pure.
#pragma once

#include "base/status.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::session {

// Code::unsupported, with the reason.
Status check_readable(const model::Variable& variable);
Status check_overwritable(const model::Variable& variable, const format::Placement& placement);

}  // namespace scorpio::session
