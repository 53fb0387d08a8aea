// Conversion kernels: byte swaps, and conversions between numeric kinds. Local; thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/element_type.h"

namespace scorpio::codec {

// Converts `elements` elements; buffers need no alignment and must not overlap. Returns the number that did
// not fit.
using Kernel = uint64_t (*)(const std::byte* from, std::byte* to, size_t elements);

// Reverses the bytes of elements of 2, 4 or 8 bytes; null for other sizes. `from` and `to` may be the same.
Kernel swap_kernel(size_t element_bytes);

// Converts native numbers of these numeric kinds; null if both kinds are the same.
Kernel number_kernel(model::Kind from, model::Kind to);

}  // namespace scorpio::codec
