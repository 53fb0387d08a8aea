// An order of units for data whose variables lie between each other in the ranks' memory. Units of
// several variables that hold about the same elements come one behind the other, so that they are in staging
// together, and a rank moves them in one pass over its memory. Local and pure.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/domains.h"

namespace scorpio::transfer {

// The units that `stored` (sorted, disjoint) touches, in strips: each variable's bytes are cut in the same
// number of pieces, and a unit is in the strip of the piece that its first stored byte lies in. As many
// strips as give each about `units_at_once` units; neighbouring ones are joined until no I/O rank has
// much more to do in one than the others. A single one where all fit, where they are too many to list, or
// where variables are hardly larger than units. `slabs`: of the variables, ascending. Of each strip, the
// bytes of `stored` in its units, ascending.
std::vector<std::vector<ByteRange>> strips_of(const std::vector<ByteRange>& stored,
                                              const std::vector<ByteRange>& slabs,
                                              const plan::DomainRule& rule, uint64_t units_at_once);

}  // namespace scorpio::transfer
