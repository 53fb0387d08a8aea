// Compares the elements of a chunk with what a lossy filter makes of them. Local; pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "codec/filter.h"
#include "model/element_type.h"

namespace scorpio::codec {

// The largest difference of an element, never less than the true one; none if the file must not hold `after`
// instead of `before`. It may if elements of `exact`, infinities and NaN have the same bytes, no other
// element became one of them, and the others differ by at most `bound`. Without a positive bound there must
// be none of the first, because nothing limits what they do to the elements beside them. Both are elements of
// `kind` (float32, float64, int32 or int64) in the byte order of this machine.
std::optional<double> largest_change(double bound, std::span<const std::byte> before,
                                     std::span<const std::byte> after, model::Kind kind,
                                     const Exactness& exact);

}  // namespace scorpio::codec
