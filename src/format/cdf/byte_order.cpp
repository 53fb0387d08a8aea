#include "format/cdf/byte_order.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "format/cdf/type.h"

namespace scorpio::format::cdf {
namespace {

constexpr size_t k_word_bytes = 8;
// Each of these swaps all elements of a word of 8 bytes.
uint64_t swap_word_of_2(uint64_t word) {
  constexpr uint64_t k_low = 0x00FF00FF00FF00FFu;
  return ((word & k_low) << 8) | ((word >> 8) & k_low);
}
uint64_t swap_word_of_4(uint64_t word) { return std::rotl(__builtin_bswap64(word), 32); }
uint64_t swap_word_of_8(uint64_t word) { return __builtin_bswap64(word); }

template <uint64_t (*SwapWord)(uint64_t)>
void swap_words(std::byte* data, size_t bytes) {
  size_t done = 0;
  for (; bytes - done >= k_word_bytes; done += k_word_bytes) {
    uint64_t word = 0;
    std::memcpy(&word, data + done, k_word_bytes);
    word = SwapWord(word);
    std::memcpy(data + done, &word, k_word_bytes);
  }
  if (done == bytes) return;
  // The remaining bytes are whole elements at the lower addresses of a word.
  uint64_t word = 0;
  std::memcpy(&word, data + done, bytes - done);
  word = SwapWord(word);
  std::memcpy(data + done, &word, bytes - done);
}

template <typename Bits>
std::array<std::byte, 8> big_endian(Bits bits) {
  std::array<std::byte, 8> out{};
  for (size_t i = 0; i < sizeof bits; ++i) {
    out[i] = static_cast<std::byte>(bits >> (8 * (sizeof bits - 1 - i)));
  }
  return out;
}

}  // namespace

void swap_in_place(std::byte* data, size_t element_bytes, size_t elements) {
  if constexpr (std::endian::native == std::endian::big) return;
  const size_t bytes = element_bytes * elements;
  if (element_bytes == 2) swap_words<&swap_word_of_2>(data, bytes);
  if (element_bytes == 4) swap_words<&swap_word_of_4>(data, bytes);
  if (element_bytes == 8) swap_words<&swap_word_of_8>(data, bytes);
}

std::array<std::byte, 8> default_fill(Type type) {
  constexpr float k_fill = 9.9692099683868690e+36F;  // in the specification, for both floating-point types
  switch (type) {
    case Type::int8:
      return big_endian(uint8_t{0x81});
    case Type::text:
      return big_endian(uint8_t{0});
    case Type::int16:
      return big_endian(uint16_t{0x8001});
    case Type::int32:
      return big_endian(uint32_t{0x80000001});
    case Type::float32:
      return big_endian(std::bit_cast<uint32_t>(k_fill));
    case Type::float64:
      return big_endian(std::bit_cast<uint64_t>(static_cast<double>(k_fill)));
    case Type::uint8:
      return big_endian(uint8_t{0xFF});
    case Type::uint16:
      return big_endian(uint16_t{0xFFFF});
    case Type::uint32:
      return big_endian(uint32_t{0xFFFFFFFF});
    case Type::int64:
      return big_endian(uint64_t{0x8000000000000002});
    case Type::uint64:
      return big_endian(uint64_t{0xFFFFFFFFFFFFFFFE});
  }
  return {};
}

void fill(std::byte* out, size_t bytes, const std::byte* value, size_t element_bytes) {
  const size_t first = std::min(bytes, element_bytes);
  std::copy_n(value, first, out);
  // Each step doubles the filled part.
  for (size_t done = first; done < bytes;) {
    const size_t more = std::min(done, bytes - done);
    std::memcpy(out + done, out, more);
    done += more;
  }
}

}  // namespace scorpio::format::cdf
