// The filter shuffle of HDF5: the first bytes of all elements, then the second bytes, and so on; the bytes of
// an incomplete element at the end are unchanged. Local; pure.
#pragma once

#include <cstddef>
#include <span>

namespace scorpio::codec {

// `to` has at least as many bytes as `from`, and is other memory. `element_bytes`: at least 1.
void shuffle_bytes(std::span<const std::byte> from, std::span<std::byte> to, size_t element_bytes);
// The inverse.
void unshuffle_bytes(std::span<const std::byte> from, std::span<std::byte> to, size_t element_bytes);

}  // namespace scorpio::codec
