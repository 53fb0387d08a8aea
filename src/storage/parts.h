// Ranges of memory that follow one another in a file. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"

namespace scorpio::storage {

using Parts = std::span<const std::span<const std::byte>>;

// That one system call writes; more are written by several.
inline constexpr size_t k_most_parts = 64;

inline uint64_t total_bytes(Parts parts) {
  uint64_t bytes = 0;
  for (const std::span<const std::byte> part : parts) bytes += part.size();
  return bytes;
}

// Calls `write` with each part and its place, as long as it succeeds, where one call for all of them is not
// possible.
template <typename Write>
Status write_one_by_one(Parts parts, uint64_t offset, Write&& write) {
  for (const std::span<const std::byte> part : parts) {
    SCORPIO_TRY(write(part, offset));
    offset += part.size();
  }
  return {};
}

}  // namespace scorpio::storage
