#include "codec/quantization.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include "codec/words.h"

namespace scorpio::codec {

namespace {

constexpr double k_bits_of_digit = 3.321928094887362;  // log2(10)

template <class Word>
struct Ieee;
template <>
struct Ieee<uint32_t> {
  using Number = float;
  static constexpr int k_mantissa = 23, k_bias = 127, k_exponents = 256, k_digits = 7;
};
template <>
struct Ieee<uint64_t> {
  using Number = double;
  static constexpr int k_mantissa = 52, k_bias = 1023, k_exponents = 2048, k_digits = 15;
};

template <class Word>
int exponent_of(Word bits) {
  return static_cast<int>(bits >> Ieee<Word>::k_mantissa) & (Ieee<Word>::k_exponents - 1);
}

template <class Word>
bool is_normal(Word bits) {
  const int exponent = exponent_of(bits);
  return exponent > 0 && exponent < Ieee<Word>::k_exponents - 1;
}

template <class Word>
Word mask_of(int zeroed) {
  return static_cast<Word>(~Word{0} << zeroed);
}

template <class Word>
Word rounded(Word bits, int zeroed) {
  const Word half = zeroed == 0 ? Word{0} : static_cast<Word>(Word{1} << (zeroed - 1));
  return static_cast<Word>(bits + half) & mask_of<Word>(zeroed);
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
Word load_word(const std::byte* from, bool is_reversed) {
  const Word bits = load<Word>(from);
  return is_reversed ? reversed(bits) : bits;
}

template <class Word>
double number_of(Word bits) {
  return static_cast<double>(std::bit_cast<typename Ieee<Word>::Number>(bits));
}

// What becomes of an element, and the largest absolute error that it may have.
template <class Word>
struct Target {
  Word bits;
  double limit;
};

template <class Word>
Target<Word> rounded_in_steps(Word bits, const std::vector<Quantization::Step>& steps) {
  const Quantization::Step& step = steps[static_cast<size_t>(exponent_of(bits))];
  const Word magnitude = bits & (~Word{0} >> 1);
  const bool above = magnitude >= step.threshold;
  return {rounded(bits, above ? step.above : step.below), above ? step.limit_above : step.limit_below};
}

// The difference is exact, because a number and the rounded one differ by less than a factor of two. The
// quotient is not, and is rounded up at the end.
class LargestErrors {
 public:
  void add(double number, double error) {
    const double magnitude = std::abs(number);
    loss_.absolute = std::max(loss_.absolute, error);
    if (error > loss_.relative * magnitude) loss_.relative = error / magnitude;
  }
  Loss loss(double bound) const {
    constexpr double k_up = 1 + 4 * std::numeric_limits<double>::epsilon();
    return {loss_.absolute, std::min(loss_.relative * k_up, bound)};
  }

 private:
  Loss loss_;
};

template <class Word, class Round>
LargestErrors apply_to_all(std::span<std::byte> elements, bool is_reversed, const std::vector<uint64_t>& kept,
                           Round&& round) {
  const auto is_kept = [&](Word bits) { return std::ranges::find(kept, uint64_t{bits}) != kept.end(); };
  LargestErrors errors;
  for (size_t i = 0; i < elements.size() / sizeof(Word); ++i) {
    std::byte* const at = elements.data() + i * sizeof(Word);
    const Word bits = load_word<Word>(at, is_reversed);
    if (!is_normal(bits) || is_kept(bits)) continue;
    const Target<Word> now = round(bits, i);
    if (now.bits == bits || !is_normal(now.bits) || is_kept(now.bits)) continue;
    const double number = number_of(bits), error = std::abs(number_of(now.bits) - number);
    if (!(error <= now.limit)) continue;
    errors.add(number, error);
    store(at, is_reversed ? reversed(now.bits) : now.bits);
  }
  return errors;
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

Loss Quantization::apply(std::span<std::byte> elements, uint64_t first) const {
  const auto apply_as = [&](auto word) -> LargestErrors {
    using Word = decltype(word);
    const auto within = [&](Word before, Word now) {
      return Target<Word>{now, bound_ * std::abs(number_of(before))};
    };
    switch (mode_) {
      case QuantizationMode::bit_groom:
        return apply_to_all<Word>(elements, reversed_, kept_, [&](Word bits, size_t i) {
          const Word mask = mask_of<Word>(zeroed_);
          return within(bits, (first + i) % 2 == 0 ? bits & mask : bits | static_cast<Word>(~mask));
        });
      case QuantizationMode::granular_bit_round:
        return apply_to_all<Word>(elements, reversed_, kept_,
                                  [&](Word bits, size_t) { return rounded_in_steps(bits, steps_); });
      case QuantizationMode::bit_round:
        return apply_to_all<Word>(elements, reversed_, kept_,
                                  [&](Word bits, size_t) { return within(bits, rounded(bits, zeroed_)); });
      case QuantizationMode::none:
        break;
    }
    return {};
  };
  const bool is_double = element_bytes_ == sizeof(uint64_t);
  return (is_double ? apply_as(uint64_t{}) : apply_as(uint32_t{})).loss(bound_);
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
