#include "exchange/message.h"

#include <algorithm>
#include <bit>

namespace scorpio::exchange {

namespace {

constexpr unsigned k_most_shift = 3;
constexpr uint64_t k_form_bit = uint64_t{1} << 63;
constexpr unsigned k_shift_at = 56;
constexpr uint64_t k_length_mask = (uint64_t{1} << k_shift_at) - 1;
// The longest encoding of two numbers below 2^32.
constexpr uint64_t k_longest_entry = 10;

// The size of a list with one bit for each grain, in whole words.
uint64_t bits_bytes(uint64_t bitmap_bytes, unsigned grain_shift) {
  return ((bitmap_bytes >> grain_shift) + 7) / 8 * 8;
}

// The largest grain that divides all positions, whose bits are joined.
unsigned grain_shift_of(uint64_t positions) {
  return static_cast<unsigned>(std::countr_zero(uint64_t{1} << k_most_shift | positions));
}

unsigned grain_shift_of(const Bitmap& bitmap) {
  uint64_t positions = 0;
  bitmap.for_each([&](uint64_t begin, uint64_t end) { positions |= begin | end; });
  return grain_shift_of(positions);
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

void pack_bits(const Bitmap& bitmap, unsigned shift, uint64_t length, std::byte* list) {
  Bitmap grains(list, length * 8);
  grains.clear();
  bitmap.for_each([&](uint64_t begin, uint64_t end) { grains.set(begin >> shift, end >> shift); });
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

size_t pack_runs(const Bitmap& bitmap, uint64_t bitmap_bytes, std::byte* out) {
  MessageHead head;
  head.grain_shift = grain_shift_of(bitmap);
  std::byte* const list = out + sizeof(uint64_t);
  const uint64_t most = std::min(bits_bytes(bitmap_bytes, head.grain_shift), bitmap_bytes);
  head.list_bytes = pack_numbers(bitmap, head.grain_shift, most, list);
  head.as_bits = head.list_bytes > most;
  if (head.as_bits) {
    head.list_bytes = most;
    pack_bits(bitmap, head.grain_shift, most, list);
  }
  const uint64_t word = head.word();
  std::memcpy(out, &word, sizeof word);
  return sizeof word + head.list_bytes;
}

size_t append_bytes(std::byte* message, size_t head_bytes, uint64_t bitmap_bytes, const std::byte* image) {
  size_t at = head_bytes;
  for_each_run(message, bitmap_bytes, [&](uint64_t begin, uint64_t end) {
    std::memcpy(message + at, image + begin, end - begin);
    at += end - begin;
  });
  return at;
}

std::span<const std::byte> message_in_place(ByteRange run, std::byte* image) {
  MessageHead head;
  head.grain_shift = grain_shift_of(run.begin | run.end);
  const Entry entry(run.begin >> head.grain_shift, run.size() >> head.grain_shift);
  head.list_bytes = entry.bytes().size();
  const uint64_t word = head.word();
  std::byte* const list = image + run.begin - head.list_bytes;
  std::ranges::copy(entry.bytes(), list);
  std::memcpy(list - sizeof word, &word, sizeof word);
  return {list - sizeof word, image + run.end};
}

Result<size_t> head_length(std::span<const std::byte> message, uint64_t bitmap_bytes) {
  if (message.size() >= sizeof(uint64_t)) {
    const MessageHead head = MessageHead::of(message.data());
    const bool known = head.grain_shift <= k_most_shift && head.list_bytes <= bitmap_bytes &&
                       (!head.as_bits || head.list_bytes == bits_bytes(bitmap_bytes, head.grain_shift));
    if (known && head.list_bytes <= message.size() - sizeof(uint64_t))
      return sizeof(uint64_t) + head.list_bytes;
  }
  return failure(Code::internal, "a staging message of {} bytes is cut short", message.size());
}

}  // namespace scorpio::exchange
