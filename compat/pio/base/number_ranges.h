// Conversion of numbers by the rules of netCDF-C, which put_var* and get_var* follow: which values are out of
// the range of their new type, and what becomes of them. Local; pure.
#pragma once

#include <cstddef>
#include <optional>

#include "pio.h"
#include "scorpio/scorpio.h"

namespace scorpio_pio {

// What the rules depend on. A get from a classic file leaves memory as it is instead of an integer that is
// out of range.
enum class Rules { classic_put, classic_get, netcdf4 };

// The type in memory, of what is stored as `stored`: in CDF-1 and CDF-2 files bytes have the signedness of
// the type in memory.
nc_type signed_as_stored(scorpio_format format, nc_type memory, nc_type stored);

// The rules of a conversion to another numeric type of whose range values may be out; `classic`: those of a
// classic file. None: there is no such conversion, or none that is not made natively.
std::optional<Rules> rules_of(scorpio_format format, nc_type from, nc_type to, Rules classic);

// Converts `n` numbers by these rules; returns whether all are in range. Of an integer
// that is not, the lowest bits are kept. A floating-point number is cut to an integer of 32 or 64 bits first,
// the least of which stands for those that it cannot hold, as on x86-64. The arrays do not overlap.
bool convert_numbers(nc_type from, const void* source, nc_type to, void* target, size_t n, Rules rules);

}  // namespace scorpio_pio
