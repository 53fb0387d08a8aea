// The words by which ranks learn of each other in one reduction to the maxima; for the compatibility
// libraries. Local; pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "common/fingerprint.h"

namespace scorpio_compat {

// The failure of a rank as one word, 0 if it has none: the highest word of all ranks is that of the lowest
// code, and of the lowest rank that has it.
class FailureWord {
 public:
  // `code`: 0, or negative.
  static constexpr uint64_t of(int code, int rank) {
    return code >= 0 ? 0 : (static_cast<uint64_t>(-int64_t{code}) << k_code_bit) + (k_last - as_word(rank));
  }
  static constexpr int code(uint64_t word) {
    return static_cast<int>(-static_cast<int64_t>(word >> k_code_bit));
  }
  static constexpr int rank(uint64_t word) { return static_cast<int>(k_last - (word & k_last)); }

 private:
  static constexpr int k_code_bit = 31;
  static constexpr uint64_t k_last = (uint64_t{1} << k_code_bit) - 1;
  static constexpr uint64_t as_word(int rank) { return static_cast<uint64_t>(rank); }
};

// Values that are compared take two words, of which the second one is the complement. All are 0 at first,
// which is no value.
template <size_t Count>
class ComparedWords {
 public:
  void compare(size_t at, uint64_t value) {
    words_[at] = value;
    words_[at + 1] = complement(value);
  }
  uint64_t& operator[](size_t at) { return words_[at]; }

  uint64_t* data() { return words_.data(); }
  static constexpr int count() { return static_cast<int>(Count); }

  // ---- after the reduction ----
  uint64_t operator[](size_t at) const { return words_[at]; }
  // Of a value that is compared: whether all ranks that have one have the same one; whether no rank has one;
  // the lowest one.
  bool all_equal(size_t at) const { return words_[at] == complement(words_[at + 1]); }
  bool nobody_has(size_t at) const { return words_[at] == 0 && words_[at + 1] == 0; }
  uint64_t lowest(size_t at) const { return complement(words_[at + 1]); }

 private:
  std::array<uint64_t, Count> words_{};
};

}  // namespace scorpio_compat
