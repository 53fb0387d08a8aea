// The definitions of a file as text, so that ranks can say which of theirs
// differ. Local; pure.
#pragma once

#include <string>

#include "model/schema.h"

namespace scorpio::model {

// A line for each dimension, group, variable, attribute and link.
std::string describe(const Schema& schema);

}  // namespace scorpio::model
