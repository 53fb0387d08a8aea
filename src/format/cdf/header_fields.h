// The fixed parts of a classic netCDF header: tags, and the widths of its fields. Local; values.
#pragma once

#include <cstdint>

#include "format/cdf/header.h"

namespace scorpio::format::cdf {

inline constexpr uint32_t k_magic = 0x43444600;  // "CDF", followed by one byte for the version

enum class Tag : uint32_t { absent = 0, dimensions = 10, variables = 11, attributes = 12 };

// The sizes of fields in bytes; tags and type codes have 4 in every version.
struct Widths {
  unsigned count;  // numbers of items and records, lengths, dimension ids, vsize
  unsigned offset;
};

constexpr Widths widths(Version version) {
  if (version == Version::cdf5) return {.count = 8, .offset = 8};
  return {.count = 4, .offset = version == Version::cdf1 ? 4U : 8U};
}

}  // namespace scorpio::format::cdf
