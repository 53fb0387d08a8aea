// The moves of the data of a classic netCDF file when its variables get other locations. Local; pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "format/cdf/geometry.h"
#include "format/layout.h"

namespace scorpio::format::cdf {

// `now_index` [variables of the old header]: their index in the new one; none: removed with its data.
// `records`: the number of records of the old file. Padding is moved too if this reduces the number of
// pieces.
Rearrangement rearrangement(const Geometry& old, const Geometry& now,
                            const std::vector<std::optional<size_t>>& now_index, uint64_t records);

}  // namespace scorpio::format::cdf
