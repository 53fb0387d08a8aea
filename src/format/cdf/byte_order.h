// Byte order and fill values of data in classic netCDF files, which are big-endian. Local; thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// Turns elements of 1, 2, 4 or 8 bytes from this machine's byte order into the file's or back, in place; the
// data need no alignment.
void swap_in_place(std::byte* data, size_t element_bytes, size_t elements);

// NC_FILL_*: what a reader takes for "never written" where no attribute _FillValue says otherwise. The first
// size_bytes(type) bytes count, in the file's order.
std::array<std::byte, 8> default_fill(Type type);

// Repeats the `element_bytes` (1, 2, 4 or 8) of `value` over `bytes` bytes, beginning with its first byte.
void fill(std::byte* out, size_t bytes, const std::byte* value, size_t element_bytes);

}  // namespace scorpio::format::cdf
