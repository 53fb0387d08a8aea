// A range of bytes of a file, or of raw space. Local; pure.
#pragma once

#include <cstdint>

namespace scorpio {

// Half-open: [begin, end).
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;

  // `bytes` bytes from `begin` on.
  static constexpr ByteRange at(uint64_t begin, uint64_t bytes) { return {begin, begin + bytes}; }
  constexpr uint64_t size() const { return end - begin; }
  constexpr bool empty() const { return begin == end; }
  constexpr bool holds(const ByteRange& other) const { return begin <= other.begin && other.end <= end; }

  friend constexpr bool operator==(const ByteRange&, const ByteRange&) = default;
};

}  // namespace scorpio
