// Adds a variable to the schema of a file, as its format permits. Local.
#pragma once

#include "base/result.h"
#include "format/layout.h"
#include "model/schema.h"

namespace scorpio::session {

// Checks the variable and adds it; format::Layout::place() is left to the caller. If all dimensions have
// names in the format, those of a variable that was defined by its extents are found or created. After a
// failure the schema is unchanged. Returns the index of the variable.
Result<int> add_variable(model::Schema& schema, format::Layout& layout, model::Variable&& variable);

}  // namespace scorpio::session
