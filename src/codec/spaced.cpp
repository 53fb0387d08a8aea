#include "codec/spaced.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "codec/stream.h"
#include "codec/words.h"

namespace scorpio::codec {

namespace {

// Elements pass through a buffer that stays in the first-level cache: so much on the side that is spaced.
constexpr size_t k_pass_bytes = 4096;
// Shorter runs lose more at their ends, where lines are filled in part, than they gain (measured).
constexpr size_t k_stream_run_bytes = 512;

// Plain copies of short runs: a call of memcpy with a run-time length costs more than the bytes.
template <size_t k_bytes>
void copy_fixed(std::byte* to, const std::byte* from, int64_t elements) {
  if (elements > 8) {
    std::memcpy(to, from, static_cast<size_t>(elements) * k_bytes);
    return;
  }
  for (int64_t i = 0; i < elements; ++i)
    std::memcpy(to + i * int64_t{k_bytes}, from + i * int64_t{k_bytes}, k_bytes);
}

void copy_elements(std::byte* to, const std::byte* from, int64_t elements, size_t element_bytes) {
  switch (element_bytes) {
    case 4:
      return copy_fixed<4>(to, from, elements);
    case 8:
      return copy_fixed<8>(to, from, elements);
    default:
      std::memcpy(to, from, static_cast<size_t>(elements) * element_bytes);
  }
}

uint64_t convert(const Conversion& conversion, const std::byte* from, std::byte* to, int64_t elements) {
  if (!conversion.trivial()) return conversion.apply(from, to, static_cast<size_t>(elements));
  copy_elements(to, from, elements, conversion.to_size);
  return 0;
}

// Elements of `bytes`, so many bytes apart on either side.
struct Spaced {
  const std::byte* from;
  int64_t from_step;
  std::byte* to;
  int64_t to_step;
  int64_t elements;
  size_t bytes;
};

// A copy of `spaced`: what is stored might otherwise be taken to change it.
template <typename Word, typename Change>
void move_words(const Spaced spaced, Change&& change) {
  const std::byte* from = spaced.from;
  std::byte* to = spaced.to;
  for (int64_t i = spaced.elements; i > 0; --i, from += spaced.from_step, to += spaced.to_step)
    store(to, change(load<Word>(from)));
}

template <typename Word>
void move_words(const Spaced& spaced, bool reverses) {
  if (reverses) return move_words<Word>(spaced, [](Word word) { return reversed(word); });
  move_words<Word>(spaced, [](Word word) { return word; });
}

// Only words of 2, 4 and 8 bytes can be reversed.
void move_spaced(const Spaced& spaced, bool reverses) {
  if (spaced.bytes == 8) return move_words<uint64_t>(spaced, reverses);
  if (spaced.bytes == 4) return move_words<uint32_t>(spaced, reverses);
  if (spaced.bytes == 2) return move_words<uint16_t>(spaced, reverses);
  for (int64_t i = 0; i < spaced.elements; ++i)
    std::memcpy(spaced.to + i * spaced.to_step, spaced.from + i * spaced.from_step, spaced.bytes);
}

// Elements through a buffer of packed ones, some at a time: `step` gets the first, their number and the
// buffer, which is null for single elements that are longer. The sum of what it returns.
template <typename Step>
uint64_t in_passes(size_t element_bytes, int64_t elements, Step&& step) {
  std::array<std::byte, k_pass_bytes> pass;
  const bool fits = element_bytes <= k_pass_bytes;
  const int64_t most = fits ? static_cast<int64_t>(k_pass_bytes / element_bytes) : 1;
  uint64_t misfits = 0;
  for (int64_t done = 0; done < elements; done += most) {
    const int64_t now = std::min(most, elements - done);
    misfits += step(done, now, fits ? pass.data() : nullptr);
  }
  return misfits;
}

// What is converted pays for one more copy, in the first-level cache.
bool worth_streaming(const Conversion& conversion, int64_t elements) {
  const size_t bytes = static_cast<size_t>(elements) * conversion.to_size;
  return bytes >= (conversion.trivial() ? k_stream_run_bytes : k_pass_bytes);
}

uint64_t convert_streaming(const Conversion& conversion, const std::byte* from, std::byte* to,
                           int64_t elements) {
  const size_t size = conversion.to_size;
  if (conversion.trivial()) {
    stream(to, from, static_cast<size_t>(elements) * size);
    return 0;
  }
  return in_passes(size, elements, [&](int64_t done, int64_t now, std::byte* pass) {
    const std::byte* source = from + static_cast<size_t>(done) * conversion.from_size;
    std::byte* target = to + static_cast<size_t>(done) * size;
    const uint64_t misfits =
        conversion.apply(source, pass != nullptr ? pass : target, static_cast<size_t>(now));
    if (pass != nullptr) stream(target, pass, static_cast<size_t>(now) * size);
    return misfits;
  });
}

}  // namespace

uint64_t gather(const Conversion& conversion, const std::byte* from, int64_t stride, std::byte* to,
                int64_t elements) {
  const size_t size = conversion.from_size;
  const auto packed = static_cast<int64_t>(size), step = stride * packed;
  if (stride == 1 || size == 0) return convert(conversion, from, to, elements);
  if (conversion.trivial() || conversion.reverses()) {
    move_spaced({from, step, to, packed, elements, size}, conversion.reverses());
    return 0;
  }
  return in_passes(size, elements, [&](int64_t done, int64_t now, std::byte* pass) {
    const std::byte* source = from + done * step;
    if (pass != nullptr) move_spaced({source, step, pass, packed, now, size}, false);
    return conversion.apply(pass != nullptr ? pass : source,
                            to + static_cast<size_t>(done) * conversion.to_size, static_cast<size_t>(now));
  });
}

uint64_t scatter(const Conversion& conversion, const std::byte* from, std::byte* to, int64_t stride,
                 int64_t elements, bool streams) {
  const size_t size = conversion.to_size;
  const auto packed = static_cast<int64_t>(size), step = stride * packed;
  if (stride == 1 && streams && worth_streaming(conversion, elements))
    return convert_streaming(conversion, from, to, elements);
  if (stride == 1) return convert(conversion, from, to, elements);
  if (conversion.trivial() || conversion.reverses()) {
    move_spaced({from, packed, to, step, elements, size}, conversion.reverses());
    return 0;
  }
  return in_passes(size, elements, [&](int64_t done, int64_t now, std::byte* pass) {
    std::byte* target = to + done * step;
    const uint64_t misfits = conversion.apply(from + static_cast<size_t>(done) * conversion.from_size,
                                              pass != nullptr ? pass : target, static_cast<size_t>(now));
    if (pass != nullptr) move_spaced({pass, packed, target, step, now, size}, false);
    return misfits;
  });
}

}  // namespace scorpio::codec
