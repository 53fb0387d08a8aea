// Writes the header of a classic netCDF file. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// The offset of the number of records, which is written last and separately.
inline constexpr uint64_t k_records_offset = 4;

// The length of the header. It depends on the version, names, attributes and shapes, not on locations or the
// number of records.
uint64_t header_bytes(const Header& header);

// Code::limit for a value that does not fit into its field, Code::type for a type that the version lacks.
// Names, shapes and sizes are checked when objects are defined (limits.h).
Result<std::vector<std::byte>> write_header(const Header& header);

// The field at k_records_offset: 4 bytes, 8 in CDF-5. Code::limit if `records` (may be k_streaming) does not
// fit.
Result<std::vector<std::byte>> write_records(Version version, uint64_t records);

}  // namespace scorpio::format::cdf
