// The bytes of a classic netCDF file into header values. Local; thread-compatible.
// Made for bytes of any origin: every number is checked against what is left of the file before anything is
// allocated, memory stays below 32 times the bytes of the file, and a failure says where and what the value
// was.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "format/cdf/header.h"
#include "format/cdf/header_source.h"

namespace scorpio::format::cdf {

struct ReadLimits {
  uint64_t header_bytes = uint64_t{1} << 31;  // longer headers are refused
  size_t piece_bytes = size_t{1} << 18;       // of one read
};

struct ParsedHeader {
  Header header;
  uint64_t bytes = 0;  // that the header takes
  // What the specification does not allow and old writers did; nothing depends on it.
  uint64_t odd_padding_bytes = 0;  // not zero
  uint64_t odd_names = 0;          // that check_name() would refuse
};

// Code::format for bytes that are no classic netCDF header, or one that contradicts itself (header_check.h).
Result<ParsedHeader> read_header(HeaderSource& source, const ReadLimits& limits = {});

}  // namespace scorpio::format::cdf
