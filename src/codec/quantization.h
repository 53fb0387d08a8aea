// Rounds floating-point numbers to fewer bits, so that filters make them smaller. The methods and their
// numbers are those of netCDF-C. Local; pure.
//   BitGroom (Zender 2016) sets the bits that are not needed for `digits` significant decimal digits to zeros
//   and ones in turn: relative error at most 10^-digits / 2. Granular BitRound (Delaunay, Courtois, Gouillon
//   2019; Zender) rounds each number to the power of two that its decimal digits need: error at most half of
//   the last digit. BitRound (Kouznetsov 2021) rounds to `digits` bits of the mantissa: relative error at
//   most 2^-(digits + 1).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace scorpio::codec {

enum class QuantizationMode { none = 0, bit_groom = 1, granular_bit_round = 2, bit_round = 3 };
// All but none.
inline constexpr std::array k_quantization_modes{
    QuantizationMode::bit_groom, QuantizationMode::granular_bit_round, QuantizationMode::bit_round};

class Quantization {
 public:
  Quantization() = default;  // leaves all elements as they are
  // `element_bytes`: 4 or 8, of IEEE 754. Code::argument for a number of digits that the mode does not take.
  static Result<Quantization> make(QuantizationMode mode, int digits, uint32_t element_bytes);

  // Elements with exactly these bytes, one or several elements, stay as they are.
  void keep(std::span<const std::byte> elements);

  bool empty() const { return mode_ == QuantizationMode::none; }
  // `first`: the index of the first one in its chunk. Infinite and subnormal numbers and those that are none
  // stay as they are, and so does what would become infinite or equal to an element that is to be kept.
  void apply(std::span<std::byte> elements, uint64_t first) const;

  friend bool operator==(const Quantization&, const Quantization&) = default;

  // Of numbers with one exponent, by Granular BitRound.
  struct Step {
    uint64_t threshold = 0;  // bits of the least magnitude with one more digit
    uint8_t below = 0;       // bits to be rounded away
    uint8_t above = 0;

    friend bool operator==(const Step&, const Step&) = default;
  };

 private:
  QuantizationMode mode_ = QuantizationMode::none;
  uint32_t element_bytes_ = 0;
  int zeroed_ = 0;                // bits of a mantissa that are not kept, but with granular_bit_round
  std::vector<Step> steps_{};     // [exponents] granular_bit_round
  std::vector<uint64_t> kept_{};  // bits of elements
};

// The attribute by which netCDF-C tells it of a variable. Empty for none.
std::string attribute_of(QuantizationMode mode);

}  // namespace scorpio::codec
