// Byte order and fill values of data in classic netCDF files, which are big-endian. Local; thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// Converts elements of 1, 2, 4 or 8 bytes between the byte order of this machine and that of the file, in
// place; the data need no alignment.
void swap_in_place(std::byte* data, size_t element_bytes, size_t elements);

// NC_FILL_*: the value of elements that were never written, unless an attribute _FillValue has another one.
// The first size_bytes(type) bytes are used, in the byte order of the file.
std::array<std::byte, 8> default_fill(Type type);

// Fills `bytes` bytes with copies of the first `element_bytes` (1, 2, 4 or 8) bytes of `value`.
void fill(std::byte* out, size_t bytes, const std::byte* value, size_t element_bytes);

}  // namespace scorpio::format::cdf
