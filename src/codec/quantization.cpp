#include "codec/quantization.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "codec/rounding.h"
#include "codec/words.h"

namespace scorpio::codec {

namespace {

constexpr double k_bits_of_digit = 3.321928094887362;  // log2(10)

template <class Word>
Word mask_of(int zeroed) {
  return static_cast<Word>(~Word{0} << zeroed);
}

template <class Word>
Word half_of(int zeroed) {
  return zeroed == 0 ? Word{0} : static_cast<Word>(Word{1} << (zeroed - 1));
}

template <class Word>
Word rounded(Word bits, int zeroed) {
  return static_cast<Word>(bits + half_of<Word>(zeroed)) & mask_of<Word>(zeroed);
}

// For numbers in [2^exponent, 2^(exponent + 1)): their count of digits before the decimal point takes one or
// two values.
template <class Word>
Quantization::Step step_of(int exponent, int digits) {
  using Number = typename Ieee<Word>::Number;
  const auto zeroed = [&](int before_point) {
    const int quantum = static_cast<int>(std::floor((before_point - digits) * k_bits_of_digit));
    return static_cast<uint8_t>(
        std::clamp(Ieee<Word>::k_mantissa - (exponent - quantum), 0, Ieee<Word>::k_mantissa));
  };
  int before_point = static_cast<int>(std::floor(exponent / k_bits_of_digit)) + 1;
  const long double least = std::ldexp(1.0L, exponent);
  while (std::pow(10.0L, before_point) <= least) ++before_point;
  const long double next = std::pow(10.0L, before_point);
  const auto limit = [&](int before) { return static_cast<double>(std::pow(10.0L, before - digits) / 2); };
  Quantization::Step step{~uint64_t{0}, zeroed(before_point), zeroed(before_point + 1), limit(before_point),
                          limit(before_point + 1)};
  if (next < 2 * least) {
    auto threshold = static_cast<Number>(next);
    if (threshold < next) threshold = std::nextafter(threshold, 2 * threshold);
    step.threshold = std::bit_cast<Word>(threshold);
  }
  return step;
}

template <class Word>
std::vector<Quantization::Step> steps_of(int digits) {
  std::vector<Quantization::Step> steps(Ieee<Word>::k_exponents);
  for (int i = 1; i + 1 < Ieee<Word>::k_exponents; ++i)
    steps[static_cast<size_t>(i)] = step_of<Word>(i - Ieee<Word>::k_bias, digits);
  return steps;
}

template <class Word>
Target<Word> rounded_in_steps(Word bits, const std::vector<Quantization::Step>& steps) {
  const Quantization::Step& step = steps[static_cast<size_t>(exponent_of(bits))];
  const Word magnitude = bits & (~Word{0} >> 1);
  const bool above = magnitude >= step.threshold;
  return {rounded(bits, above ? step.above : step.below), above ? step.limit_above : step.limit_below};
}

template <class Word>
Cut<Word> cut_of(QuantizationMode mode, int zeroed, double bound) {
  const Word mask = mask_of<Word>(zeroed);
  if (mode == QuantizationMode::bit_groom) return {0, mask, {0, static_cast<Word>(~mask)}, bound};
  return {half_of<Word>(zeroed), mask, {}, bound};
}

// The number of mantissa bits that BitGroom keeps, as in netCDF-C.
int groomed_bits(int digits, uint32_t element_bytes) {
  return static_cast<int>(std::ceil(digits * k_bits_of_digit)) + (element_bytes == sizeof(double) ? 2 : 1);
}

double bound_of(QuantizationMode mode, int digits) {
  if (mode == QuantizationMode::bit_round) return std::ldexp(1.0, -digits - 1);
  const double half = mode == QuantizationMode::bit_groom ? 0.5 : 5.0;
  return static_cast<double>(half * std::pow(10.0L, -digits));
}

int most_digits(QuantizationMode mode, uint32_t element_bytes) {
  const bool is_double = element_bytes == sizeof(double);
  if (mode == QuantizationMode::bit_round)
    return is_double ? Ieee<uint64_t>::k_mantissa : Ieee<uint32_t>::k_mantissa;
  return is_double ? Ieee<uint64_t>::k_digits : Ieee<uint32_t>::k_digits;
}

}  // namespace

Result<Quantization> Quantization::make(QuantizationMode mode, int digits, const model::ElementType& type) {
  Quantization made;
  if (mode == QuantizationMode::none) return made;
  const uint32_t element_bytes = type.size_bytes;
  const int most = most_digits(mode, element_bytes);
  if (digits < 1 || digits > most) {
    return failure(Code::argument, "{} {} of floating-point numbers of {} bytes are to be kept; give 1 to {}",
                   digits, mode == QuantizationMode::bit_round ? "bits" : "digits", element_bytes, most);
  }
  const bool is_double = element_bytes == sizeof(double);
  const int mantissa = is_double ? Ieee<uint64_t>::k_mantissa : Ieee<uint32_t>::k_mantissa;
  made.mode_ = mode;
  made.element_bytes_ = element_bytes;
  made.bound_ = bound_of(mode, digits);
  made.reversed_ = type.order != model::native(type.kind).order;
  if (mode == QuantizationMode::granular_bit_round) {
    made.steps_ = is_double ? steps_of<uint64_t>(digits) : steps_of<uint32_t>(digits);
  } else {
    const int kept = mode == QuantizationMode::bit_round ? digits : groomed_bits(digits, element_bytes);
    made.zeroed_ = std::max(0, mantissa - kept);
  }
  return made;
}

void Quantization::keep(std::span<const std::byte> elements) {
  for (; element_bytes_ > 0 && elements.size() >= element_bytes_;
       elements = elements.subspan(element_bytes_)) {
    const uint64_t bits = element_bytes_ == sizeof(uint64_t)
                              ? load_word<uint64_t>(elements.data(), reversed_)
                              : load_word<uint32_t>(elements.data(), reversed_);
    if (std::ranges::find(kept_, bits) == kept_.end()) kept_.push_back(bits);
  }
}

template <class Word>
LargestErrors Quantization::apply_as(std::span<std::byte> bytes, uint64_t first) const {
  const Elements elements{reversed_, kept_};
  LargestErrors errors;
  if (mode_ == QuantizationMode::granular_bit_round) {
    const auto round = [&](Word bits, uint64_t) { return rounded_in_steps(bits, steps_); };
    round_each<Word>(bytes, first, elements, round, errors);
  } else if (mode_ != QuantizationMode::none) {
    const Cut<Word> cut = cut_of<Word>(mode_, zeroed_, bound_);
    const size_t done = reversed_ ? 0 : CutRegisters<Word>(cut, elements, errors).round(bytes, first);
    round_each<Word>(bytes.subspan(done), first + done / sizeof(Word), elements, cut, errors);
  }
  return errors;
}

Loss Quantization::apply(std::span<std::byte> elements, uint64_t first) const {
  const bool is_double = element_bytes_ == sizeof(uint64_t);
  return (is_double ? apply_as<uint64_t>(elements, first) : apply_as<uint32_t>(elements, first)).loss(bound_);
}

const std::string& attribute_of(QuantizationMode mode) {
  static const std::string k_bit_groom = "_QuantizeBitGroomNumberOfSignificantDigits";
  static const std::string k_granular = "_QuantizeGranularBitRoundNumberOfSignificantDigits";
  static const std::string k_bit_round = "_QuantizeBitRoundNumberOfSignificantBits";
  static const std::string k_none;
  switch (mode) {
    case QuantizationMode::bit_groom:
      return k_bit_groom;
    case QuantizationMode::granular_bit_round:
      return k_granular;
    case QuantizationMode::bit_round:
      return k_bit_round;
    case QuantizationMode::none:
      break;
  }
  return k_none;
}

bool is_quantization(const std::string& attribute) {
  // Each of the three names begins so, and hardly any other: this is asked of each attribute that is put.
  constexpr std::string_view k_prefix = "_Quantize";
  if (!attribute.starts_with(k_prefix)) return false;
  return std::ranges::any_of(k_quantization_modes,
                             [&](QuantizationMode mode) { return attribute_of(mode) == attribute; });
}

}  // namespace scorpio::codec
