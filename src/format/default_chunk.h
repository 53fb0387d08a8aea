// The chunk shape of a variable for which the program has not set one. Local; pure.
#pragma once

#include <cstdint>
#include <vector>

#include "model/schema.h"

namespace scorpio::format {

// Returns [ndims] extents of a chunk. If the first dimension is unlimited: a variable of one dimension has
// chunks of 512 records; others have one record in a chunk, which is divided if it exceeds 4 MiB, or as many
// records (512 at most) as fit into 4 KiB. Any other variable is one chunk, which is divided if it exceeds
// 4 MiB.
std::vector<int64_t> default_chunk(const model::Variable& variable);

}  // namespace scorpio::format
