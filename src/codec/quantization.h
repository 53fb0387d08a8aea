// Rounds floating-point numbers to fewer significant bits, so that they compress better. The methods and
// their numbers are those of netCDF-C. Local; pure.
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
#include "codec/loss.h"
#include "model/element_type.h"

namespace scorpio::codec {

class LargestErrors;

enum class QuantizationMode { none = 0, bit_groom = 1, granular_bit_round = 2, bit_round = 3 };
// All modes except `none`.
inline constexpr std::array k_quantization_modes{
    QuantizationMode::bit_groom, QuantizationMode::granular_bit_round, QuantizationMode::bit_round};

class Quantization {
 public:
  Quantization() = default;  // changes no element
  // `type`: float32 or float64. Returns Code::argument if `digits` is out of range for the mode.
  static Result<Quantization> make(QuantizationMode mode, int digits, const model::ElementType& type);

  // Elements that equal one of these byte by byte are not changed. `elements`: one or several elements.
  void keep(std::span<const std::byte> elements);

  bool empty() const { return mode_ == QuantizationMode::none; }
  // The largest relative error; 0 for `none`. Granular BitRound, which limits the absolute error by the last
  // digit that it keeps, reaches it at the powers of ten.
  double bound() const { return bound_; }
  // `first`: the index of the first element within its chunk. Infinities, NaNs and subnormal numbers are not
  // changed, nor is an element that would become infinite or equal to an element given to keep(), or whose
  // error would exceed the limit of the mode. Returns the largest errors.
  Loss apply(std::span<std::byte> elements, uint64_t first) const;

  friend bool operator==(const Quantization&, const Quantization&) = default;

  // How Granular BitRound treats the numbers with one exponent.
  struct Step {
    uint64_t threshold = 0;  // bit pattern of the least magnitude that has one more digit
    uint8_t below = 0;       // number of bits that are rounded away below the threshold
    uint8_t above = 0;
    // The largest absolute errors: half of the last digit.
    double limit_below = 0;
    double limit_above = 0;

    friend bool operator==(const Step&, const Step&) = default;
  };

 private:
  template <class Word>
  LargestErrors apply_as(std::span<std::byte> bytes, uint64_t first) const;

  QuantizationMode mode_ = QuantizationMode::none;
  uint32_t element_bytes_ = 0;
  bool reversed_ = false;  // the byte order of the elements is not the native one
  int zeroed_ = 0;         // number of mantissa bits that are not kept; unused by granular_bit_round
  double bound_ = 0;
  std::vector<Step> steps_{};     // [exponents], for granular_bit_round
  std::vector<uint64_t> kept_{};  // bit patterns of the elements that are not changed
};

// The name of the attribute in which netCDF-C records the mode. Empty for `none`.
const std::string& attribute_of(QuantizationMode mode);
// Whether an attribute of this name records a mode.
bool is_quantization(const std::string& attribute);

}  // namespace scorpio::codec
