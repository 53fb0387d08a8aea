#include "codec/shuffle.h"

#include <algorithm>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace scorpio::codec {

namespace {

// The elements from `first` on, one after the other.
void shuffle_rest(const std::byte* from, std::byte* to, size_t size, size_t elements, size_t first) {
  for (size_t b = 0; b < size; ++b) {
    for (size_t i = first; i < elements; ++i) to[b * elements + i] = from[i * size + b];
  }
}

void unshuffle_rest(const std::byte* from, std::byte* to, size_t size, size_t elements, size_t first) {
  for (size_t b = 0; b < size; ++b) {
    for (size_t i = first; i < elements; ++i) to[i * size + b] = from[b * elements + i];
  }
}

#ifdef __SSE2__

using Register = __m128i;
// Elements are moved in blocks of this number, of which the bytes at one place fill a register.
constexpr size_t k_lanes = sizeof(Register);

Register load_register(const std::byte* from) {
  return _mm_loadu_si128(reinterpret_cast<const Register*>(from));
}

void store_register(std::byte* to, Register value) {
  _mm_storeu_si128(reinterpret_cast<Register*>(to), value);
}

// 16 words of 4 bytes, in order.
struct Words {
  Register a, b, c, d;
};

// Byte `b` of each word. Packing is exact, because no value exceeds 255.
template <int b>
Register byte_of(const Words& words) {
  const Register mask = _mm_set1_epi32(0xff);
  const auto only = [&](Register word) { return _mm_and_si128(_mm_srli_epi32(word, 8 * b), mask); };
  return _mm_packus_epi16(_mm_packs_epi32(only(words.a), only(words.b)),
                          _mm_packs_epi32(only(words.c), only(words.d)));
}

// `to`: of the first bytes; those that follow in the words are `stride` bytes after them.
void store_by_byte(const Words& words, std::byte* to, size_t stride) {
  store_register(to, byte_of<0>(words));
  store_register(to + stride, byte_of<1>(words));
  store_register(to + 2 * stride, byte_of<2>(words));
  store_register(to + 3 * stride, byte_of<3>(words));
}

// The inverse.
Words load_by_byte(const std::byte* from, size_t stride) {
  const Register byte0 = load_register(from), byte1 = load_register(from + stride);
  const Register byte2 = load_register(from + 2 * stride), byte3 = load_register(from + 3 * stride);
  const Register low0 = _mm_unpacklo_epi8(byte0, byte1), low1 = _mm_unpackhi_epi8(byte0, byte1);
  const Register high0 = _mm_unpacklo_epi8(byte2, byte3), high1 = _mm_unpackhi_epi8(byte2, byte3);
  return {_mm_unpacklo_epi16(low0, high0), _mm_unpackhi_epi16(low0, high0), _mm_unpacklo_epi16(low1, high1),
          _mm_unpackhi_epi16(low1, high1)};
}

Words load_words(const std::byte* from) {
  return {load_register(from), load_register(from + k_lanes), load_register(from + 2 * k_lanes),
          load_register(from + 3 * k_lanes)};
}

void store_words(const Words& words, std::byte* to) {
  store_register(to, words.a);
  store_register(to + k_lanes, words.b);
  store_register(to + 2 * k_lanes, words.c);
  store_register(to + 3 * k_lanes, words.d);
}

// The lower half of each of 4 elements of 8 bytes ...
Register low_halves(Register a, Register b) {
  return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _MM_SHUFFLE(2, 0, 2, 0)));
}

// ... and the upper one.
Register high_halves(Register a, Register b) {
  return _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), _MM_SHUFFLE(3, 1, 3, 1)));
}

// These return the number of elements that were moved, all but the last ones.
size_t shuffle_blocks_of_4(const std::byte* from, std::byte* to, size_t elements) {
  size_t i = 0;
  for (; i + k_lanes <= elements; i += k_lanes) store_by_byte(load_words(from + 4 * i), to + i, elements);
  return i;
}

size_t unshuffle_blocks_of_4(const std::byte* from, std::byte* to, size_t elements) {
  size_t i = 0;
  for (; i + k_lanes <= elements; i += k_lanes) store_words(load_by_byte(from + i, elements), to + 4 * i);
  return i;
}

size_t shuffle_blocks_of_8(const std::byte* from, std::byte* to, size_t elements) {
  size_t i = 0;
  for (; i + k_lanes <= elements; i += k_lanes) {
    const Words x = load_words(from + 8 * i), y = load_words(from + 8 * i + 4 * k_lanes);
    store_by_byte({low_halves(x.a, x.b), low_halves(x.c, x.d), low_halves(y.a, y.b), low_halves(y.c, y.d)},
                  to + i, elements);
    store_by_byte(
        {high_halves(x.a, x.b), high_halves(x.c, x.d), high_halves(y.a, y.b), high_halves(y.c, y.d)},
        to + 4 * elements + i, elements);
  }
  return i;
}

size_t unshuffle_blocks_of_8(const std::byte* from, std::byte* to, size_t elements) {
  size_t i = 0;
  for (; i + k_lanes <= elements; i += k_lanes) {
    const Words low = load_by_byte(from + i, elements);
    const Words high = load_by_byte(from + 4 * elements + i, elements);
    store_words({_mm_unpacklo_epi32(low.a, high.a), _mm_unpackhi_epi32(low.a, high.a),
                 _mm_unpacklo_epi32(low.b, high.b), _mm_unpackhi_epi32(low.b, high.b)},
                to + 8 * i);
    store_words({_mm_unpacklo_epi32(low.c, high.c), _mm_unpackhi_epi32(low.c, high.c),
                 _mm_unpacklo_epi32(low.d, high.d), _mm_unpackhi_epi32(low.d, high.d)},
                to + 8 * i + 4 * k_lanes);
  }
  return i;
}

size_t shuffle_blocks(const std::byte* from, std::byte* to, size_t size, size_t elements) {
  if (size == sizeof(uint32_t)) return shuffle_blocks_of_4(from, to, elements);
  return size == sizeof(uint64_t) ? shuffle_blocks_of_8(from, to, elements) : 0;
}

size_t unshuffle_blocks(const std::byte* from, std::byte* to, size_t size, size_t elements) {
  if (size == sizeof(uint32_t)) return unshuffle_blocks_of_4(from, to, elements);
  return size == sizeof(uint64_t) ? unshuffle_blocks_of_8(from, to, elements) : 0;
}

#else

size_t shuffle_blocks(const std::byte*, std::byte*, size_t, size_t) { return 0; }

size_t unshuffle_blocks(const std::byte*, std::byte*, size_t, size_t) { return 0; }

#endif

}  // namespace

void shuffle_bytes(std::span<const std::byte> from, std::span<std::byte> to, size_t size) {
  const size_t elements = from.size() / size, done = shuffle_blocks(from.data(), to.data(), size, elements);
  shuffle_rest(from.data(), to.data(), size, elements, done);
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(elements * size), from.end(),
            to.begin() + static_cast<std::ptrdiff_t>(elements * size));
}

void unshuffle_bytes(std::span<const std::byte> from, std::span<std::byte> to, size_t size) {
  const size_t elements = from.size() / size, done = unshuffle_blocks(from.data(), to.data(), size, elements);
  unshuffle_rest(from.data(), to.data(), size, elements, done);
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(elements * size), from.end(),
            to.begin() + static_cast<std::ptrdiff_t>(elements * size));
}

}  // namespace scorpio::codec
