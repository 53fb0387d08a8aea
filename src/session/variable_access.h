// What can be done with the elements of a variable, as far as the variable itself decides it: the same on all
// ranks. Local and pure.
#pragma once

#include "base/status.h"
#include "model/schema.h"

namespace scorpio::session {

// Code::unsupported, with the reason.
Status check_readable(const model::Variable& variable);
Status check_overwritable(const model::Variable& variable);

// Whether some variable of the file can be read, but not written; removed ones count.
bool has_variables_of_library(const model::Schema& schema);

}  // namespace scorpio::session
