// An order of units for data in which several variables alternate in the ranks' memory. Units of several
// variables with about the same elements follow each other, so that they are in staging memory together and a
// rank copies them in one pass over its memory. Local and pure.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/domains.h"

namespace scorpio::transfer {

// The units that overlap `stored` (sorted, disjoint), in strips: the bytes of each variable are divided into
// the same number of pieces, and a unit belongs to the strip of the piece that contains its first stored
// byte. The number of strips is such that each has about `units_at_once` units; neighbouring strips are
// joined until the I/O ranks have similar amounts of work in each. There is a single strip if all units fit,
// if they are too many to list, or if variables are hardly larger than units. `slabs`: the ranges of the
// variables, ascending. Returns for each strip the bytes of `stored` in its units, ascending.
std::vector<std::vector<ByteRange>> strips_of(const std::vector<ByteRange>& stored,
                                              const std::vector<ByteRange>& slabs,
                                              const plan::DomainRule& rule, uint64_t units_at_once);

}  // namespace scorpio::transfer
