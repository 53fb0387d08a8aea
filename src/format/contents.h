// What a file holds: its definitions, and where their elements lie. The metadata rank reads it and tells the
// other ranks. Local; pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::format {

struct Contents {
  model::Schema schema;
  Placements placements;  // by the schema's indices of variables
};

// All of it as one message, and back.
std::vector<std::byte> serialise(const model::Schema& schema, const Placements& placements);
Result<Contents> deserialise(const std::vector<std::byte>& bytes);

// The model and its placements take over what the file holds at `path` now (`found`: it and its attributes).
// A variable keeps its index if type, extents and place are the same.
Status adopt(model::Schema& schema, Placements& placements, const Contents& found, const std::string& path);

}  // namespace scorpio::format
