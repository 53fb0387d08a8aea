// Ranges of memory that follow one another in a file. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace scorpio::storage {

using Parts = std::span<const std::span<const std::byte>>;

inline uint64_t total_bytes(Parts parts) {
  uint64_t bytes = 0;
  for (const std::span<const std::byte> part : parts) bytes += part.size();
  return bytes;
}

}  // namespace scorpio::storage
