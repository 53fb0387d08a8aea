// What each definition of a schema must satisfy by itself, whatever the schema contains. Pure.
#pragma once

#include <string>

#include "base/result.h"
#include "model/attribute.h"
#include "model/variable.h"

namespace scorpio::model {

// Code::name if `name` is empty or has '/' or a NUL byte. `what` is named by the failure. `slash`: '/' is
// allowed; old files have dimensions with a slash in their names.
Status check_name(const std::string& name, const char* what, bool slash = false);
// Code::name for the name; Code::argument or Code::limit if the type, the extents and the size of the value
// do not agree. `object`: the path of the group or variable, for the failure.
Status check_attribute(const std::string& object, const std::string& name, const Attribute& attribute);
// The type, the extents and the attributes of the variable; its path is not checked.
Status check_variable(const Variable& variable);

}  // namespace scorpio::model
