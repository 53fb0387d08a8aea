// Conversion of runs of elements between types and byte orders. Local; thread-safe: a Conversion is a value.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "codec/kernels.h"
#include "model/element_type.h"

namespace scorpio::codec {

struct Conversion {
  size_t from_size = 0;  // bytes per element
  size_t to_size = 0;

  // Converts between numeric types, texts, or opaque types of the same size; Code::type for others.
  static Result<Conversion> make(const model::ElementType& from, const model::ElementType& to);

  // A single element of `type` is the source for every element; positions in the source buffer are ignored.
  static Conversion repeat(const model::ElementType& type);

  // Whether the bytes are the same on both sides, so that memcpy can be used.
  bool trivial() const { return kernel_ == nullptr && !swap_from_ && !swap_to_ && from_size == to_size; }

  // Whether the values are the same in the opposite byte order.
  bool reverses() const {
    return kernel_ == nullptr && from_size == to_size && (swap_from_ != nullptr) != (swap_to_ != nullptr);
  }

  // Then the kernel that reverses the bytes, otherwise null.
  Kernel reversal() const { return !reverses() ? nullptr : swap_from_ != nullptr ? swap_from_ : swap_to_; }

  // Returns the number of elements that did not fit. Integers are clipped to the nearest value of the target;
  // fractions are cut off; NaN gives the integer 0 and counts; a float64 beyond float32 gives an infinity and
  // counts; rounding does not count. Text is padded with NUL, or cut, which counts if characters are lost.
  // The buffers must not overlap.
  uint64_t apply(const std::byte* from, std::byte* to, size_t elements) const;

 private:
  uint64_t apply_repeat(const std::byte* from, std::byte* to, size_t elements) const;
  uint64_t apply_text(const std::byte* from, std::byte* to, size_t elements) const;
  uint64_t apply_blocks(const std::byte* from, std::byte* to, size_t elements) const;

  Kernel kernel_ = nullptr;     // between native values; null: the values do not change
  Kernel swap_from_ = nullptr;  // null: the source has the byte order of this machine
  Kernel swap_to_ = nullptr;
};

}  // namespace scorpio::codec
