// Conversion of elements that have equal distances in the user's buffer and are packed on the other side.
// Local; thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "codec/conversion.h"
#include "codec/words.h"

namespace scorpio::codec {

// Copies elements of equal size; each begins `step` bytes after the one before.
using SpacedMove = void (*)(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
                            int64_t elements);

// Moves elements of the size of Word, with their bytes reversed or not. Rows of a few elements are moved by
// this in the loop of the caller, because a call costs more than the move.
template <typename Word, bool k_reverses>
struct WordMove {
  static constexpr size_t k_bytes = sizeof(Word);

  void operator()(const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
                  int64_t elements) const {
    for (; elements > 0; --elements, from += from_step, to += to_step) {
      const Word word = load<Word>(from);
      store(to, k_reverses ? reversed(word) : word);
    }
  }
};

// Calls act(move) with the WordMove of this conversion and returns true; returns false where values are
// converted or elements have an unusual size.
template <typename Act>
bool with_word_move(const Conversion& conversion, Act&& act) {
  const auto of_size = [&](auto reverses) {
    constexpr bool k_reverses = decltype(reverses)::value;
    if (conversion.to_size == 8) return act(WordMove<uint64_t, k_reverses>{}), true;
    if (conversion.to_size == 4) return act(WordMove<uint32_t, k_reverses>{}), true;
    if (conversion.to_size == 2) return act(WordMove<uint16_t, k_reverses>{}), true;
    return false;
  };
  if (conversion.trivial()) return of_size(std::false_type{});
  return conversion.reverses() && of_size(std::true_type{});
}

// For many rows with one conversion: the way to move elements is selected once, because rows may be short.
// Both return the number of elements that did not fit; `stride` is in elements of the user's buffer, of any
// sign.
class Gather {
 public:
  explicit Gather(const Conversion& conversion);
  uint64_t operator()(const std::byte* from, int64_t stride, std::byte* to, int64_t elements) const {
    if (stride == 1 && reversal_ != nullptr) return reversal_(from, to, static_cast<size_t>(elements));
    if (stride == 1 || move_ == nullptr) return others(from, stride, to, elements);
    const auto size = static_cast<int64_t>(conversion_.from_size);
    move_(from, stride * size, to, size, elements);
    return 0;
  }

 private:
  uint64_t others(const std::byte* from, int64_t stride, std::byte* to, int64_t elements) const;

  Conversion conversion_;
  SpacedMove move_;  // null: values are converted, or elements have an unusual size
  Kernel reversal_;  // of rows without gaps; null: their bytes are not only reversed
};

class Scatter {
 public:
  // `streams`: uses stores that bypass the cache (stream.h) if they are faster; the caller then calls
  // end_streams().
  Scatter(const Conversion& conversion, bool streams);
  uint64_t operator()(const std::byte* from, std::byte* to, int64_t stride, int64_t elements) const {
    if (stride == 1 && reversal_ != nullptr) return reversal_(from, to, static_cast<size_t>(elements));
    if (stride == 1 || move_ == nullptr) return others(from, to, stride, elements);
    const auto size = static_cast<int64_t>(conversion_.to_size);
    move_(from, size, to, stride * size, elements);
    return 0;
  }

 private:
  uint64_t others(const std::byte* from, std::byte* to, int64_t stride, int64_t elements) const;

  Conversion conversion_;
  SpacedMove move_;
  Kernel reversal_;  // as in Gather; null if long rows are streamed, too
  bool streams_;
};

}  // namespace scorpio::codec
