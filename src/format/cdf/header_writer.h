// Header values into the bytes of a classic netCDF file. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// Where the number of records stands, so that it can be written last and alone.
inline constexpr uint64_t k_records_offset = 4;

// Bytes that the header takes. They depend on the version, names, attributes and shapes, not on places or
// records.
uint64_t header_bytes(const Header& header);

// Code::limit for a value that its field cannot hold, Code::type for a type that the version lacks. Names,
// shapes and sizes are checked where they are defined (limits.h).
Result<std::vector<std::byte>> write_header(const Header& header);

// The field at k_records_offset: 4 bytes, in CDF-5 8. Code::limit if `records` (may be k_streaming) does not
// fit.
Result<std::vector<std::byte>> write_records(Version version, uint64_t records);

}  // namespace scorpio::format::cdf
