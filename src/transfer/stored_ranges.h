// The bytes of a file that belong to its variables. Local and pure.
#pragma once

#include <optional>
#include <vector>

#include "format/placement.h"
#include "model/variables.h"
#include "plan/domains.h"

namespace scorpio::transfer {

// The ranges of variables (whole, or one record) that overlap `hull`, in ascending order, without variables
// that have no address. Empty if there are too many to examine.
std::optional<std::vector<ByteRange>> stored_slabs(const model::Variables& variables,
                                                   const format::Placements& placements, ByteRange hull);

// The bytes of `hull` that are in `slabs`: sorted, disjoint, adjacent ranges joined.
std::vector<ByteRange> stored_ranges(const std::vector<ByteRange>& slabs, ByteRange hull);

}  // namespace scorpio::transfer
