// The number of elements of an array; for the compatibility libraries. Local; pure.
#pragma once

#include <cstdint>
#include <optional>

namespace scorpio_compat {

// None if the number does not fit into an int64_t. `extents`: an array of integers.
template <typename Extents>
std::optional<int64_t> volume(const Extents& extents) {
  int64_t all = 1;
  for (const int64_t extent : extents) {
    if (__builtin_mul_overflow(all, extent, &all)) return std::nullopt;
  }
  return all;
}

}  // namespace scorpio_compat
