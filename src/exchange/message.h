// The message that one node sends to an I/O rank for one unit (and the reverse for reads): a list of byte
// ranges, then the bytes without gaps. Local.
//
//   word 0: bytes of the list, its form, the size of a grain | the list | bytes
//
// Positions are counted in grains of 1, 2, 4 or 8 bytes, the largest that divides all of them; this suits
// elements of the usual types. The list is the shorter one of two forms: for each run the number of grains
// since the end of the run before and the number of its own, encoded with 7 bits in each byte; or one bit for
// each grain of the unit.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "base/byte_range.h"
#include "base/result.h"
#include "exchange/bitmap.h"

namespace scorpio::exchange {

// Word 0 of a message.
struct MessageHead {
  uint64_t list_bytes = 0;
  bool as_bits = false;
  unsigned grain_shift = 0;  // a grain is 1 << grain_shift bytes

  static MessageHead of(const std::byte* message);
  uint64_t word() const;
};

// Packs the runs of `bitmap` without bytes, as a request. Returns the length, at most bitmap_bytes + 8.
size_t pack_runs(const Bitmap& bitmap, uint64_t bitmap_bytes, std::byte* out);
// Appends the bytes of `image` in the runs of a packed list. Returns the length of the whole message.
size_t append_bytes(std::byte* message, size_t head_bytes, uint64_t bitmap_bytes, const std::byte* image);

// The message of a single run of `image`, without a copy of its bytes: the leading word and the list of runs
// are written before the run, where k_head_of_run bytes must be free.
inline constexpr size_t k_head_of_run = 32;
std::span<const std::byte> message_in_place(ByteRange run, std::byte* image);

// The length of the list of runs at the beginning of `message`; fails if it exceeds the message.
Result<size_t> head_length(std::span<const std::byte> message, uint64_t bitmap_bytes);

// Decodes the number at `at` (7 bits in each byte, lowest first) and advances `at` past it. Bytes from `end`
// on are taken as 0.
inline uint64_t take_number(const std::byte*& at, const std::byte* end) {
  uint64_t number = 0;
  for (unsigned shift = 0; at < end && shift < 63; shift += 7) {
    const auto byte = static_cast<uint64_t>(*at++);
    number |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  return number;
}

// Calls visit(begin, end) for each run of a message's list, whose head_length() is known to be valid; never
// for bytes past the end of the unit.
template <typename Visit>
void for_each_run(const std::byte* message, uint64_t bitmap_bytes, Visit&& visit) {
  const MessageHead head = MessageHead::of(message);
  const std::byte* at = message + sizeof(uint64_t);
  const uint64_t grains = (bitmap_bytes * 8) >> head.grain_shift;
  const auto visit_grains = [&](uint64_t begin, uint64_t end) {
    visit(begin << head.grain_shift, end << head.grain_shift);
  };
  if (head.as_bits) return Bitmap(const_cast<std::byte*>(at), grains).for_each(visit_grains);
  const std::byte* const list_end = at + head.list_bytes;
  uint64_t begin = 0;
  while (at < list_end) {
    begin += take_number(at, list_end);
    const uint64_t length = take_number(at, list_end);
    if (begin >= grains || length == 0 || length > grains - begin) return;
    visit_grains(begin, begin + length);
    begin += length;
  }
}

}  // namespace scorpio::exchange
