// The chunk shape of a variable for which the program has not set one. Local; pure.
#pragma once

#include <cstdint>
#include <vector>

#include "model/schema.h"

namespace scorpio::format {

// Returns [ndims] extents for a variable whose first dimension is unlimited. A variable of one dimension has
// chunks of 512 records. Others have one record in a chunk, which is divided if it exceeds 4 MiB, or as many
// records (512 at most) as fit into 4 KiB.
std::vector<int64_t> default_chunk(const model::Variable& variable);

}  // namespace scorpio::format
