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

}  // namespace scorpio::format::cdf
