// The shape of chunks of a variable for which nobody has chosen one. Local; pure.
#pragma once

#include <cstdint>
#include <vector>

#include "model/schema.h"

namespace scorpio::format {

// [ndims] of a variable whose first dimension is unlimited: of one dimension 512 records; else one record,
// of which a chunk has up to 4 MiB, or as many records (512 at most) as make 4 KiB.
std::vector<int64_t> default_chunk(const model::Variable& variable);

}  // namespace scorpio::format
