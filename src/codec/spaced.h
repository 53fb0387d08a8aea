// Conversion of elements that are equally spaced on the user's side and packed on the other. Local;
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/convert.h"

namespace scorpio::codec {

// Both return how many elements did not fit. `stride` is in elements of the user's side, of any sign.
uint64_t gather(const Conversion& conversion, const std::byte* from, int64_t stride, std::byte* to,
                int64_t elements);

// `streams`: past the cache (stream.h) where that pays; end_streams() is then the caller's.
uint64_t scatter(const Conversion& conversion, const std::byte* from, std::byte* to, int64_t stride,
                 int64_t elements, bool streams);

}  // namespace scorpio::codec
