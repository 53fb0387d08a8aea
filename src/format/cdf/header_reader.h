// Reads the header of a classic netCDF file. Local; thread-compatible.
// The file may be damaged or hostile: every number is compared with the remaining bytes of the file before
// memory is allocated, memory stays below 32 times the size of the file, and a failure has the position and
// the value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "format/cdf/header.h"
#include "format/cdf/header_source.h"

namespace scorpio::format::cdf {

struct ReadLimits {
  uint64_t header_bytes = uint64_t{1} << 31;  // longer headers are rejected
  size_t piece_bytes = size_t{1} << 18;       // size of one read
};

struct ParsedHeader {
  Header header;
  uint64_t bytes = 0;  // length of the header
};

// Code::format if the bytes are not a classic netCDF header, or are inconsistent (header_check.h).
Result<ParsedHeader> read_header(HeaderSource& source, const ReadLimits& limits = {});

}  // namespace scorpio::format::cdf
