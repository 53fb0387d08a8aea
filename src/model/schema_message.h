// The schema as one message, which the metadata rank broadcasts after it has read a file. Local; pure.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "model/schema.h"

namespace scorpio::model {

std::vector<std::byte> serialise(const Schema& schema);
// The definitions in a message pass the same checks as those of the program, so that a damaged message is an
// error (Code::format) and never an invalid schema.
Result<Schema> deserialise(const std::vector<std::byte>& bytes);

}  // namespace scorpio::model
