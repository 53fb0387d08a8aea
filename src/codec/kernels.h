// Conversion kernels: byte swaps, and numbers of each kind into each other. Local; thread-safe.
#pragma once

#include <cstddef>

#include "codec/conversion.h"
#include "model/element_type.h"

namespace scorpio::codec {

// Reverses the bytes of elements of 2, 4 or 8 bytes; null for other sizes. `from` and `to` may be the same.
Kernel swap_kernel(size_t element_bytes);

// Between native numbers of these kinds; null when they are the same. Both kinds are numeric.
Kernel number_kernel(model::Kind from, model::Kind to);

}  // namespace scorpio::codec
