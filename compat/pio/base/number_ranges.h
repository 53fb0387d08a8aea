// Conversion of numbers by the rules of netCDF-C, which put_var* and get_var* follow: which values are out of
// the range of their new type, and what becomes of them. Local; pure.
#pragma once

#include <cstddef>

#include "pio.h"

namespace scorpio_pio {

// What the rules depend on. A get from a classic file leaves memory as it is instead of an integer that is
// out of range.
enum class Rules { classic_put, classic_get, netcdf4 };

// Whether values of the numeric type `from` may be out of the range of `to`. Others are converted natively.
bool may_be_out_of_range(nc_type from, nc_type to, Rules rules);

// Converts `n` numbers between types for which this is so; returns whether all are in range. Of an integer
// that is not, the lowest bits are kept. A floating-point number is cut to an integer of 32 or 64 bits first,
// the least of which stands for those that it cannot hold, as on x86-64. The arrays do not overlap.
bool convert_numbers(nc_type from, const void* source, nc_type to, void* target, size_t n, Rules rules);

}  // namespace scorpio_pio
