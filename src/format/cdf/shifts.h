// How the data of a classic netCDF file move when its variables get other places. Local; pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "format/cdf/geometry.h"
#include "format/layout.h"

namespace scorpio::format::cdf {

// `now_index` [variables of the old header]: their index in the new one; none: gone, its data too. `records`:
// that the old file holds. Padding moves along where that makes fewer pieces of it.
Rearrangement rearrangement(const Geometry& old, const Geometry& now,
                            const std::vector<std::optional<size_t>>& now_index, uint64_t records);

}  // namespace scorpio::format::cdf
