// Which bytes of a file hold data of its variables. Local and pure.
#pragma once

#include <optional>
#include <vector>

#include "format/placement.h"
#include "model/schema.h"
#include "plan/domains.h"

namespace scorpio::transfer {

// Slabs of variables (whole, or one record) that reach into `hull`, ascending; variables without an address
// are not among them. None where there are more than is worth while to look at.
std::optional<std::vector<ByteRange>> stored_slabs(const model::Schema& schema,
                                                   const format::Placements& placements, ByteRange hull);

// The bytes of `hull` that lie in `slabs`: sorted, disjoint, neighbours joined.
std::vector<ByteRange> stored_ranges(const std::vector<ByteRange>& slabs, ByteRange hull);

}  // namespace scorpio::transfer
