// Whether a header that was read is consistent in itself. Local; pure.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// Code::format for two unlimited dimensions, two things of one name, a dimension id that does not exist, an
// unlimited dimension that is not a variable's first, data past 2^63 - 1, or a variable that begins inside
// the header, whose length is `header_bytes`. Variables may begin in any order, and vsize may be anything: it
// is redundant.
Status check_header(const Header& header, uint64_t header_bytes);

// Code::format where variables, or records, lie on each other. No writer leaves them so: a length in the
// header is damaged. netCDF-C refuses such files, too.
Status check_apart(const Header& header);

// Code::format where a variable's vsize is not that of its shape. Only a file that is shorter than its header
// says makes this suspicious: the number that is wrong may be the one by which it is too short.
Status check_lengths(const Header& header);

}  // namespace scorpio::format::cdf
