#include "codec/spaced.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "codec/stream.h"
#include "codec/words.h"

namespace scorpio::codec {

namespace {

// The size of a buffer through which spaced elements pass, and which fits into the first-level cache.
constexpr size_t k_pass_bytes = 4096;
// For shorter runs, partly filled cache lines at the ends cost more than streaming gains (measured).
constexpr size_t k_stream_run_bytes = 512;

// Copies short runs in a loop: a call of memcpy with a run-time length costs more than the copy.
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

template <typename Move>
void move_words(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step, int64_t elements) {
  Move()(from, from_step, to, to_step, elements);
}

SpacedMove move_of(const Conversion& conversion) {
  SpacedMove move = nullptr;
  with_word_move(conversion, [&](auto words) { move = move_words<decltype(words)>; });
  return move;
}

SpacedMove move_of_size(size_t bytes) {
  if (bytes == 8) return move_words<WordMove<uint64_t, false>>;
  if (bytes == 4) return move_words<WordMove<uint32_t, false>>;
  if (bytes == 2) return move_words<WordMove<uint16_t, false>>;
  return nullptr;
}

// Moves elements of any size without a change.
void move_spaced(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step, int64_t elements,
                 size_t bytes) {
  if (const SpacedMove move = move_of_size(bytes)) return move(from, from_step, to, to_step, elements);
  for (int64_t i = 0; i < elements; ++i) std::memcpy(to + i * to_step, from + i * from_step, bytes);
}

// Processes elements through a buffer of packed ones, a part at a time: `step` is called with the first
// element, the number and the buffer, which is null for a single element that is larger. Returns the sum of
// the results of `step`.
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

// Conversion passes through the first-level cache in any case, so that the additional copy costs little.
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

Gather::Gather(const Conversion& conversion)
    : conversion_(conversion), move_(move_of(conversion)), reversal_(conversion.reversal()) {}

uint64_t Gather::others(const std::byte* from, int64_t stride, std::byte* to, int64_t elements) const {
  const size_t size = conversion_.from_size;
  const auto packed = static_cast<int64_t>(size), step = stride * packed;
  if (stride == 1 || size == 0) return convert(conversion_, from, to, elements);
  if (conversion_.trivial()) {
    move_spaced(from, step, to, packed, elements, size);
    return 0;
  }
  return in_passes(size, elements, [&](int64_t done, int64_t now, std::byte* pass) {
    const std::byte* source = from + done * step;
    if (pass != nullptr) move_spaced(source, step, pass, packed, now, size);
    return conversion_.apply(pass != nullptr ? pass : source,
                             to + static_cast<size_t>(done) * conversion_.to_size, static_cast<size_t>(now));
  });
}

Scatter::Scatter(const Conversion& conversion, bool streams)
    : conversion_(conversion),
      move_(move_of(conversion)),
      reversal_(streams ? nullptr : conversion.reversal()),
      streams_(streams) {}

uint64_t Scatter::others(const std::byte* from, std::byte* to, int64_t stride, int64_t elements) const {
  const size_t size = conversion_.to_size;
  const auto packed = static_cast<int64_t>(size), step = stride * packed;
  if (stride == 1 && streams_ && worth_streaming(conversion_, elements))
    return convert_streaming(conversion_, from, to, elements);
  if (stride == 1) return convert(conversion_, from, to, elements);
  if (conversion_.trivial()) {
    move_spaced(from, packed, to, step, elements, size);
    return 0;
  }
  return in_passes(size, elements, [&](int64_t done, int64_t now, std::byte* pass) {
    std::byte* target = to + done * step;
    const uint64_t misfits = conversion_.apply(from + static_cast<size_t>(done) * conversion_.from_size,
                                               pass != nullptr ? pass : target, static_cast<size_t>(now));
    if (pass != nullptr) move_spaced(pass, packed, target, step, now, size);
    return misfits;
  });
}

}  // namespace scorpio::codec
