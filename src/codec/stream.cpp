#include "codec/stream.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace scorpio::codec {

#ifdef __SSE2__

// A cache line that is partly filled by such stores and partly by others costs more than either. Aligned
// words leave the rest of the line to the next run, which usually follows in memory; otherwise only whole
// lines are streamed.
void stream(std::byte* to, const std::byte* from, size_t bytes) {
  constexpr size_t k_line = 64, k_word = sizeof(__m128i);
  const auto place = reinterpret_cast<uintptr_t>(to);
  const size_t unit = (place | bytes) % k_word == 0 ? k_word : k_line;
  const size_t head = std::min(-place % unit, bytes), end = head + (bytes - head) / unit * unit;
  std::memcpy(to, from, head);
  for (size_t i = head; i < end; i += k_word) {
    const __m128i word = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), word);
  }
  std::memcpy(to + end, from + end, bytes - end);
}

void end_streams() { _mm_sfence(); }

#else

void stream(std::byte* to, const std::byte* from, size_t bytes) { std::memcpy(to, from, bytes); }

void end_streams() {}

#endif

}  // namespace scorpio::codec
