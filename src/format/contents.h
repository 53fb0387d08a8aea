// The contents of a file: its definitions, and the locations of the variables. The metadata rank reads them
// and sends them to the other ranks. Local; pure.
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
  Placements placements;  // by the indices of variables in the schema
  std::string format{};   // on the metadata rank: the name of the format, if the first bytes do not tell it
};

// Conversion to one message, and back.
std::vector<std::byte> serialise(const model::Schema& schema, const Placements& placements);
Result<Contents> deserialise(const std::vector<std::byte>& bytes);

// Replaces the object at `path` in the schema, and its placement, by the one that is now in the file
// (`found`: the object with its attributes). A variable keeps its index if type, extents and location are the
// same.
Status adopt(model::Schema& schema, Placements& placements, const Contents& found, const std::string& path);

}  // namespace scorpio::format
