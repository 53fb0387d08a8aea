// The definitions of a file as text, for the failure if they differ between ranks. Local; pure.
#pragma once

#include <string>

#include "model/schema.h"

namespace scorpio::model {

// A line for each dimension, group, variable, attribute and link.
std::string describe(const Schema& schema);

}  // namespace scorpio::model
