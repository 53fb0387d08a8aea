// The message that one node sends to an I/O rank for one unit (and the reverse for reads): the bytes of some
// runs without gaps, and the list of these runs. Local.
//
//   word 0: bytes of the list, its form, the size of a grain | bytes | the list
//
// A request for bytes has no bytes, the reply to it nothing else. Positions are counted in grains of 1, 2, 4
// or 8 bytes, the largest that divides all of them; this suits elements of the usual types. The list is the
// shorter one of two forms: for each run the number of grains since the end of the run before and the number
// of its own, encoded with 7 bits in each byte; or one bit for each grain of the unit.
//
// A message is made inside the image of the unit: its bytes are moved together, from the first run on.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "base/result.h"
#include "exchange/images/bitmap.h"

namespace scorpio::exchange {

// Word 0 of a message.
struct MessageHead {
  uint64_t list_bytes = 0;
  bool as_bits = false;
  unsigned grain_shift = 0;  // a grain is 1 << grain_shift bytes

  static MessageHead of(const std::byte* message);
  uint64_t word() const;
};

inline constexpr size_t k_head_bytes = sizeof(uint64_t);

// In what follows `outline` is that of the bitmap.
//
// The request for the bytes in the runs of `bitmap`. Returns its length, at most bitmap_bytes + k_head_bytes.
size_t pack_request(const Bitmap& bitmap, const Bitmap::Outline& outline, uint64_t bitmap_bytes,
                    std::byte* out);

// The message of the runs of `image`, made where they are: k_head_bytes before the image and bitmap_bytes
// after it must be free. Adds the bytes that had to be moved, which are those of all runs but the first.
std::span<const std::byte> pack_in_place(const Bitmap& bitmap, const Bitmap::Outline& outline,
                                         uint64_t bitmap_bytes, std::byte* image, uint64_t& moved);

// The reply to a request for the runs of `bitmap` is received here, and then taken apart: the bytes of the
// last run are at their place already.
std::span<std::byte> room_for_reply(const Bitmap::Outline& wanted, std::byte* image);
void unpack_reply(const Bitmap& bitmap, const Bitmap::Outline& wanted, std::byte* image, uint64_t& moved);

// A message that was received.
struct MessageParts {
  MessageHead head;
  std::span<const std::byte> bytes;
  const std::byte* list = nullptr;
};
// Fails if the list exceeds the message.
Result<MessageParts> parts_of(std::span<const std::byte> message, uint64_t bitmap_bytes);

// Copies the bytes of a run, forwards: they may overlap what is before them. Most runs are single elements.
inline void move_run(std::byte* to, const std::byte* from, uint64_t bytes) {
  uint64_t word = 0;
  if (bytes == sizeof word) {
    std::memcpy(&word, from, sizeof word);
    std::memcpy(to, &word, sizeof word);
  } else if (bytes == sizeof(uint32_t)) {
    std::memcpy(&word, from, sizeof(uint32_t));
    std::memcpy(to, &word, sizeof(uint32_t));
  } else {
    std::memmove(to, from, bytes);
  }
}

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

// Calls visit(begin, end) for each run of the list; never for bytes past the end of the unit.
template <typename Visit>
void for_each_run(const MessageParts& message, uint64_t bitmap_bytes, const Visit& visit) {
  const MessageHead& head = message.head;
  const uint64_t grains = (bitmap_bytes * 8) >> head.grain_shift;
  const auto visit_grains = [&](uint64_t begin, uint64_t end) {
    visit(begin << head.grain_shift, end << head.grain_shift);
  };
  if (head.as_bits) {
    BitRuns runs(visit_grains);
    for (uint64_t w = 0; w * 64 < grains; ++w) {
      uint64_t word = 0;
      std::memcpy(&word, message.list + w * sizeof word, sizeof word);
      if (const uint64_t left = grains - w * 64; left < 64) word &= (uint64_t{1} << left) - 1;
      if (word != 0) runs.add(w, word);
    }
    return runs.leave();
  }
  const std::byte* at = message.list;
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
