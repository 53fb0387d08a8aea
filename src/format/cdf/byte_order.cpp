#include "format/cdf/byte_order.h"

#include <bit>
#include <cstdint>
#include <cstring>

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

}  // namespace

void swap_in_place(std::byte* data, size_t element_bytes, size_t elements) {
  if constexpr (std::endian::native == std::endian::big) return;
  const size_t bytes = element_bytes * elements;
  if (element_bytes == 2) swap_words<&swap_word_of_2>(data, bytes);
  if (element_bytes == 4) swap_words<&swap_word_of_4>(data, bytes);
  if (element_bytes == 8) swap_words<&swap_word_of_8>(data, bytes);
}

}  // namespace scorpio::format::cdf
