// The byte order of data in classic netCDF files, which are big-endian. Local; thread-safe.
#pragma once

#include <cstddef>

namespace scorpio::format::cdf {

// Converts elements of 1, 2, 4 or 8 bytes between the byte order of this machine and that of the file, in
// place; the data need no alignment.
void swap_in_place(std::byte* data, size_t element_bytes, size_t elements);

}  // namespace scorpio::format::cdf
