#include "exchange/images/message.h"

#include <algorithm>
#include <bit>

namespace scorpio::exchange {

namespace {

constexpr unsigned k_most_shift = 3;
constexpr uint64_t k_form_bit = uint64_t{1} << 63;
constexpr unsigned k_shift_at = 56;
constexpr uint64_t k_length_mask = (uint64_t{1} << k_shift_at) - 1;
// The longest encoding of two numbers below 2^32, and the shortest.
constexpr uint64_t k_longest_entry = 10;
constexpr uint64_t k_shortest_entry = 2;

// The size of a list with one bit for each grain, in whole words.
uint64_t bits_bytes(uint64_t bitmap_bytes, unsigned grain_shift) {
  return ((bitmap_bytes >> grain_shift) + 7) / 8 * 8;
}

// The largest grain that divides the positions of all edges.
unsigned grain_shift_of(uint64_t edges) {
  constexpr uint64_t k_multiples[] = {~uint64_t{0}, 0x5555555555555555, 0x1111111111111111,
                                      0x0101010101010101};
  unsigned shift = k_most_shift;
  while ((edges & ~k_multiples[shift]) != 0) --shift;
  return shift;
}

// A run in the list of numbers: the bytes since the run before, and its length.
class Entry {
 public:
  Entry(uint64_t gap, uint64_t length) {
    add(gap);
    add(length);
  }
  std::span<const std::byte> bytes() const { return {bytes_, length_}; }

 private:
  void add(uint64_t number) {
    for (; number >= 128; number >>= 7) bytes_[length_++] = static_cast<std::byte>(number | 128);
    bytes_[length_++] = static_cast<std::byte>(number);
  }

  std::byte bytes_[k_longest_entry];
  size_t length_ = 0;
};

// Returns the length of the list of numbers, or more than `most` if it would be longer than that.
uint64_t pack_numbers(const Bitmap& bitmap, unsigned shift, uint64_t most, std::byte* list) {
  std::byte* at = list;
  uint64_t behind = 0;
  bool fits = true;
  bitmap.for_each([&](uint64_t begin, uint64_t end) {
    const Entry entry((begin - behind) >> shift, (end - begin) >> shift);
    behind = end;
    fits = fits && static_cast<uint64_t>(at - list) + entry.bytes().size() <= most;
    if (fits) at = std::ranges::copy(entry.bytes(), at).out;
  });
  return fits ? static_cast<uint64_t>(at - list) : most + 1;
}

// Every other bit of the word, moved together.
uint64_t even_bits(uint64_t word) {
  word &= 0x5555555555555555;
  word = (word | word >> 1) & 0x3333333333333333;
  word = (word | word >> 2) & 0x0f0f0f0f0f0f0f0f;
  word = (word | word >> 4) & 0x00ff00ff00ff00ff;
  word = (word | word >> 8) & 0x0000ffff0000ffff;
  return (word | word >> 16) & 0x00000000ffffffff;
}

// All bits of a grain are the same.
void pack_bits(const Bitmap& bitmap, unsigned shift, uint64_t length, std::byte* list) {
  const uint64_t grains = 64u >> shift;  // of one word of the bitmap
  uint64_t packed = 0, filled = 0;
  const std::byte* const end = list + length;
  const auto store = [&] {
    std::memcpy(list, &packed, sizeof packed);
    list += sizeof packed;
    packed = filled = 0;
  };
  for (uint64_t w = 0; w < bitmap.words(); ++w) {
    uint64_t bits = bitmap.word(w);
    for (unsigned halved = 0; halved < shift; ++halved) bits = even_bits(bits);
    packed |= bits << filled;
    filled += grains;
    if (filled == 64) store();
  }
  while (list < end) store();
}

// Both forms of the list at `list`, whichever is shorter.
MessageHead pack_list(const Bitmap& bitmap, const Bitmap::Outline& outline, uint64_t bitmap_bytes,
                      std::byte* list) {
  MessageHead head;
  head.grain_shift = grain_shift_of(outline.edges);
  const uint64_t most = std::min(bits_bytes(bitmap_bytes, head.grain_shift), bitmap_bytes);
  const bool hopeless = outline.runs * k_shortest_entry > most;
  head.list_bytes = hopeless ? most + 1 : pack_numbers(bitmap, head.grain_shift, most, list);
  head.as_bits = head.list_bytes > most;
  if (head.as_bits) {
    head.list_bytes = most;
    pack_bits(bitmap, head.grain_shift, most, list);
  }
  return head;
}

void store_head(const MessageHead& head, std::byte* at) {
  const uint64_t word = head.word();
  std::memcpy(at, &word, sizeof word);
}

}  // namespace

MessageHead MessageHead::of(const std::byte* message) {
  uint64_t word = 0;
  std::memcpy(&word, message, sizeof word);
  return {word & k_length_mask, (word & k_form_bit) != 0,
          static_cast<unsigned>((word & ~k_form_bit) >> k_shift_at)};
}

uint64_t MessageHead::word() const {
  return list_bytes | uint64_t{grain_shift} << k_shift_at | (as_bits ? k_form_bit : 0);
}

size_t pack_request(const Bitmap& bitmap, const Bitmap::Outline& outline, uint64_t bitmap_bytes,
                    std::byte* out) {
  const MessageHead head = pack_list(bitmap, outline, bitmap_bytes, out + k_head_bytes);
  store_head(head, out);
  return k_head_bytes + head.list_bytes;
}

std::span<const std::byte> pack_in_place(const Bitmap& bitmap, const Bitmap::Outline& outline,
                                         uint64_t bitmap_bytes, std::byte* image, uint64_t& moved) {
  std::byte* const first = image + outline.begin;
  std::byte* at = first;
  if (outline.runs > 1) {
    bitmap.for_each([&](uint64_t begin, uint64_t end) {
      if (at != first) {
        move_run(at, image + begin, end - begin);
        moved += end - begin;
      }
      at += end - begin;
    });
  }
  std::byte* const list = first + outline.bytes;
  const MessageHead head = pack_list(bitmap, outline, bitmap_bytes, list);
  std::byte* const message = first - k_head_bytes;
  store_head(head, message);
  return {message, list + head.list_bytes};
}

std::span<std::byte> room_for_reply(const Bitmap::Outline& wanted, std::byte* image) {
  return {image + wanted.end - wanted.bytes, static_cast<size_t>(wanted.bytes)};
}

void unpack_reply(const Bitmap& bitmap, const Bitmap::Outline& wanted, std::byte* image, uint64_t& moved) {
  if (wanted.runs <= 1) return;
  const std::byte* from = room_for_reply(wanted, image).data();
  bitmap.for_each([&](uint64_t begin, uint64_t end) {
    if (end != wanted.end) {
      move_run(image + begin, from, end - begin);
      moved += end - begin;
    }
    from += end - begin;
  });
}

Result<MessageParts> parts_of(std::span<const std::byte> message, uint64_t bitmap_bytes) {
  if (message.size() >= k_head_bytes) {
    const MessageHead head = MessageHead::of(message.data());
    const bool known = head.grain_shift <= k_most_shift && head.list_bytes <= bitmap_bytes &&
                       (!head.as_bits || head.list_bytes == bits_bytes(bitmap_bytes, head.grain_shift));
    const std::span<const std::byte> rest = message.subspan(k_head_bytes);
    if (known && head.list_bytes <= rest.size()) {
      const size_t bytes = rest.size() - head.list_bytes;
      return MessageParts{head, rest.first(bytes), rest.data() + bytes};
    }
  }
  return failure(Code::internal, "a staging message of {} bytes is cut short", message.size());
}

}  // namespace scorpio::exchange
