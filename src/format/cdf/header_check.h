// Checks whether a header that was read is consistent. Local; pure.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// Code::format for two unlimited dimensions, two objects of one name, a dimension id that does not exist, an
// unlimited dimension that is not a variable's first, data past 2^63 - 1, or a variable that begins inside
// the header, whose length is `header_bytes`. Variables may begin in any order, and vsize is ignored, because
// it is redundant.
Status check_header(const Header& header, uint64_t header_bytes);

// Code::format if variables, or records, overlap. No writer produces such files: a length in the header is
// damaged. netCDF-C rejects such files too.
Status check_apart(const Header& header);

// Code::format if the vsize of a variable differs from the size of its shape. This is checked only for a file
// that is shorter than its header says, because the wrong number may be the cause.
Status check_lengths(const Header& header);

}  // namespace scorpio::format::cdf
