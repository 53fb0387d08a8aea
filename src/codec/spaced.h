// Conversion of elements that are equally spaced on the user's side and packed on the other. Local;
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/conversion.h"

namespace scorpio::codec {

// Moves equally spaced elements of equal size, `step` bytes from one to the next.
using SpacedMove = void (*)(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
                            int64_t elements);

// For rows of one conversion: how their elements are moved is decided once, since rows may be short. Both
// return how many elements did not fit; `stride` is in elements of the user's side, of any sign.
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
  SpacedMove move_;  // null: the values change, or elements have another size than words
};

class Scatter {
 public:
  // `streams`: past the cache (stream.h) where that pays; end_streams() is then the caller's.
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
