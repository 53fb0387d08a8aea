// The message that one node sends to an I/O rank for one unit (and the reverse for reads): a list of byte
// ranges, then the bytes without gaps. Local.
//
//   word 0: number of runs, or k_as_bitmap | then runs (two 32-bit words each: begin, length) or the bitmap |
//   bytes
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "base/result.h"
#include "exchange/bitmap.h"

namespace scorpio::exchange {

inline constexpr uint64_t k_as_bitmap = ~uint64_t{0};

// The runs of `bitmap`, without bytes: a request. Returns the length; at most bitmap_bytes + 8.
size_t pack_runs(const Bitmap& bitmap, uint64_t bitmap_bytes, std::byte* out);
// Appends to a packed list of runs the bytes of `image` that it names. Returns the length of the whole
// message.
size_t append_bytes(std::byte* message, size_t head_bytes, uint64_t bitmap_bytes, const std::byte* image);

// Length of the list of runs at the front of `message`; fails when it does not fit the message.
Result<size_t> head_length(std::span<const std::byte> message, uint64_t bitmap_bytes);

// Calls visit(begin, end) for each run of a message's list.
template <typename Visit>
void for_each_run(const std::byte* message, uint64_t bitmap_bytes, Visit&& visit) {
  uint64_t count = 0;
  std::memcpy(&count, message, sizeof count);
  const std::byte* list = message + sizeof count;
  if (count == k_as_bitmap) {
    Bitmap(const_cast<std::byte*>(list), bitmap_bytes * 8).for_each(visit);
    return;
  }
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t run[2];
    std::memcpy(run, list + i * sizeof run, sizeof run);
    visit(uint64_t{run[0]}, uint64_t{run[0]} + run[1]);
  }
}

}  // namespace scorpio::exchange
