// Conversion of elements that have equal distances in the user's buffer and are packed on the other side.
// Local; thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/conversion.h"

namespace scorpio::codec {

// Copies elements of equal size; each begins `step` bytes after the one before.
using SpacedMove = void (*)(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
                            int64_t elements);

// For many rows with one conversion: the way to move elements is selected once, because rows may be short.
// Both return the number of elements that did not fit; `stride` is in elements of the user's buffer, of any
// sign.
class Gather {
 public:
  explicit Gather(const Conversion& conversion);
  uint64_t operator()(const std::byte* from, int64_t stride, std::byte* to, int64_t elements) const {
    if (stride == 1 || move_ == nullptr) return others(from, stride, to, elements);
    const auto size = static_cast<int64_t>(conversion_.from_size);
    move_(from, stride * size, to, size, elements);
    return 0;
  }

 private:
  uint64_t others(const std::byte* from, int64_t stride, std::byte* to, int64_t elements) const;

  Conversion conversion_;
  SpacedMove move_;  // null: values are converted, or elements have an unusual size
};

class Scatter {
 public:
  // `streams`: uses stores that bypass the cache (stream.h) if they are faster; the caller then calls
  // end_streams().
  Scatter(const Conversion& conversion, bool streams);
  uint64_t operator()(const std::byte* from, std::byte* to, int64_t stride, int64_t elements) const {
    if (stride == 1 || move_ == nullptr) return others(from, to, stride, elements);
    const auto size = static_cast<int64_t>(conversion_.to_size);
    move_(from, size, to, stride * size, elements);
    return 0;
  }

 private:
  uint64_t others(const std::byte* from, std::byte* to, int64_t stride, int64_t elements) const;

  Conversion conversion_;
  SpacedMove move_;
  bool streams_;
};

}  // namespace scorpio::codec
