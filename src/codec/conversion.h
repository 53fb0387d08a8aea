// Conversion of element runs between types and byte orders. Local; thread-safe: a Conversion is a value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "model/element_type.h"

namespace scorpio::codec {

// Converts `elements` elements; buffers need no alignment and must not overlap. Returns how many did not fit.
using Kernel = uint64_t (*)(const std::byte* from, std::byte* to, size_t elements);

struct Conversion {
  size_t from_size = 0;  // bytes per element
  size_t to_size = 0;

  // Numeric to numeric, text to text, opaque to opaque of the same size; anything else is Code::type.
  static Result<Conversion> make(const model::ElementType& from, const model::ElementType& to);

  // The one element of `type` that is given is taken for every element: the place of an element in the buffer
  // does not matter.
  static Conversion repeat(const model::ElementType& type);

  // The bytes are the same on both sides: memcpy will do.
  bool trivial() const { return kernel_ == nullptr && !swap_from_ && !swap_to_ && from_size == to_size; }

  // The values are the same, their bytes in the other order.
  bool reverses() const {
    return kernel_ == nullptr && from_size == to_size && (swap_from_ != nullptr) != (swap_to_ != nullptr);
  }

  // Returns the number of elements that did not fit. Integers are clipped to the nearest value of the target;
  // fractions are cut off; NaN gives the integer 0 and counts; a float64 beyond float32 gives an infinity and
  // counts; rounding does not count. Text is padded with NUL, or cut, which counts if characters are lost.
  // The buffers must not overlap.
  uint64_t apply(const std::byte* from, std::byte* to, size_t elements) const;

 private:
  uint64_t apply_repeat(const std::byte* from, std::byte* to, size_t elements) const;
  uint64_t apply_text(const std::byte* from, std::byte* to, size_t elements) const;
  uint64_t apply_blocks(const std::byte* from, std::byte* to, size_t elements) const;

  Kernel kernel_ = nullptr;     // between native values; null: the values stay as they are
  Kernel swap_from_ = nullptr;  // null: the order is this machine's
  Kernel swap_to_ = nullptr;
};

}  // namespace scorpio::codec
