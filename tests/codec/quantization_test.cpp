// Quantisation: every number stays within the bound of its mode, and what is to be kept keeps every bit.
#include "codec/quantization.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "codec/words.h"

namespace scorpio::codec {
namespace {

template <class T>
using WordOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

// Half of all are kept values, powers of ten and two and their neighbours, numbers near the ends of the
// range, and numbers that are none.
template <class T>
std::vector<T> random_numbers(std::mt19937_64& random, T fill) {
  std::vector<T> numbers;
  for (int i = 0; i < 4000; ++i) {
    const int exponent = static_cast<int>(random() % 60) - 30;
    T number = std::bit_cast<T>(static_cast<WordOf<T>>(random()));
    switch (random() % 10) {
      case 0:
        number = fill;
        break;
      case 1:
        number = static_cast<T>(std::pow(10.0L, exponent));
        break;
      case 2:
        number = std::nextafter(static_cast<T>(std::pow(10.0L, exponent)), T{0});
        break;
      case 3:
        number = std::nextafter(static_cast<T>(std::ldexp(1.0L, exponent)), T{0});
        break;
      case 4:
        number = std::nextafter(fill, i % 2 == 0 ? T{0} : std::numeric_limits<T>::max());
        break;
      case 5:
        number = i % 4 == 0 ? std::numeric_limits<T>::max() : -std::numeric_limits<T>::denorm_min();
        break;
      default:
        break;
    }
    numbers.push_back(number);
  }
  return numbers;
}

template <class T>
const model::ElementType k_type_of = model::native(sizeof(T) == 4 ? model::Kind::float32
                                                                  : model::Kind::float64);

template <class T>
long double bound_of(QuantizationMode mode, int digits, T number) {
  const long double magnitude = std::fabs(static_cast<long double>(number));
  if (mode == QuantizationMode::bit_round) return magnitude * std::ldexp(1.0L, -digits - 1);
  if (mode == QuantizationMode::bit_groom) return magnitude * std::pow(10.0L, -digits) / 2;
  int before_point = 1 + static_cast<int>(std::floor(std::log10(magnitude)));
  if (std::pow(10.0L, before_point - 1) > magnitude) --before_point;
  return std::pow(10.0L, before_point - digits) / 2 * (1 + 1e-15L);
}

template <class T>
void expect_bounds(QuantizationMode mode, int digits, uint64_t seed) {
  std::mt19937_64 random(seed);
  const T fill = static_cast<T>(seed % 2 == 0 ? 9.969209968386869e36 : 1e20);
  auto quantization = Quantization::make(mode, digits, k_type_of<T>);
  ASSERT_TRUE(quantization.ok());
  quantization->keep(std::as_bytes(std::span(&fill, 1)));
  const std::vector<T> before = random_numbers(random, fill);
  std::vector<T> after = before;
  const Loss loss = quantization->apply(std::as_writable_bytes(std::span(after)), 0);
  long double largest = 0, largest_part = 0;
  for (size_t i = 0; i < before.size(); ++i) {
    const auto bits = std::bit_cast<WordOf<T>>(before[i]), now = std::bit_cast<WordOf<T>>(after[i]);
    if (before[i] == fill || !std::isnormal(before[i])) {
      ASSERT_EQ(bits, now) << before[i];
      continue;
    }
    ASSERT_TRUE(std::isfinite(after[i])) << before[i];
    ASSERT_NE(fill, after[i]) << before[i];
    const long double error =
        std::fabs(static_cast<long double>(after[i]) - static_cast<long double>(before[i]));
    ASSERT_LE(error, bound_of(mode, digits, before[i])) << before[i] << " became " << after[i];
    largest = std::max(largest, error);
    largest_part = std::max(largest_part, error / std::fabs(static_cast<long double>(before[i])));
  }
  EXPECT_EQ(largest, loss.absolute);
  EXPECT_LE(largest_part, loss.relative);
  EXPECT_GE(largest_part * (1 + 1e-14L), loss.relative);
  EXPECT_LE(loss.relative, quantization->bound());
  std::vector<T> again = after;
  quantization->apply(std::as_writable_bytes(std::span(again)), 0);
  if (mode != QuantizationMode::granular_bit_round) {
    EXPECT_EQ(0, std::memcmp(after.data(), again.data(), after.size() * sizeof(T)));
  }
}

TEST(Quantization, EveryNumberStaysWithinTheBound) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    for (const auto mode : {QuantizationMode::bit_groom, QuantizationMode::granular_bit_round}) {
      for (int digits = 1; digits <= 7; ++digits) expect_bounds<float>(mode, digits, seed);
      for (int digits = 1; digits <= 15; ++digits) expect_bounds<double>(mode, digits, seed);
    }
    for (int bits = 1; bits <= 23; ++bits) expect_bounds<float>(QuantizationMode::bit_round, bits, seed);
    for (int bits = 1; bits <= 52; ++bits) expect_bounds<double>(QuantizationMode::bit_round, bits, seed);
  }
}

template <class T>
std::vector<T> reversed_all(std::vector<T> numbers) {
  for (T& number : numbers) number = std::bit_cast<T>(reversed(std::bit_cast<WordOf<T>>(number)));
  return numbers;
}

// The same numbers with their bytes in opposite order are rounded to the same values.
template <class T>
void expect_same_reversed(QuantizationMode mode) {
  std::mt19937_64 random(7);
  const T fill = static_cast<T>(1e20);
  model::ElementType type = k_type_of<T>;
  std::vector<T> numbers = random_numbers(random, fill);
  std::vector<T> others = reversed_all(numbers);
  auto straight = Quantization::make(mode, 3, type);
  type.order = type.order == model::ByteOrder::big ? model::ByteOrder::little : model::ByteOrder::big;
  auto opposite = Quantization::make(mode, 3, type);
  straight->keep(std::as_bytes(std::span(&fill, 1)));
  const std::vector<T> kept = reversed_all(std::vector<T>{fill});
  opposite->keep(std::as_bytes(std::span(kept)));
  straight->apply(std::as_writable_bytes(std::span(numbers)), 5);
  opposite->apply(std::as_writable_bytes(std::span(others)), 5);
  others = reversed_all(others);
  EXPECT_EQ(0, std::memcmp(numbers.data(), others.data(), numbers.size() * sizeof(T)));
}

TEST(Quantization, OfTheOtherByteOrder) {
  for (const auto mode : k_quantization_modes) {
    expect_same_reversed<float>(mode);
    expect_same_reversed<double>(mode);
  }
}

// Most elements are rounded several at a time, wherever they begin in memory and in the chunk.
template <class T>
void expect_as_each_alone(QuantizationMode mode, int digits, size_t begin, uint64_t first) {
  std::mt19937_64 random(begin + first);
  const T fills[] = {static_cast<T>(1e20), static_cast<T>(-999), std::numeric_limits<T>::quiet_NaN()};
  auto quantization = Quantization::make(mode, digits, k_type_of<T>);
  for (const T& fill : fills) quantization->keep(std::as_bytes(std::span(&fill, 1)));
  std::vector<T> all = random_numbers(random, fills[0]);
  for (size_t i = 0; i < all.size(); i += 5)
    all[i] = static_cast<T>(std::ldexp(1 + i * 1e-4, -140 - (i % 20)));
  std::vector<T> alone = all;
  const auto bytes_of = [](std::vector<T>& numbers) { return std::as_writable_bytes(std::span(numbers)); };
  const Loss loss = quantization->apply(bytes_of(all).subspan(begin * sizeof(T)), first);
  Loss each;
  for (size_t i = begin; i < alone.size(); ++i)
    each.raise(quantization->apply(bytes_of(alone).subspan(i * sizeof(T), sizeof(T)), first + i - begin));
  EXPECT_EQ(0, std::memcmp(alone.data(), all.data(), all.size() * sizeof(T)));
  EXPECT_EQ(each.absolute, loss.absolute);
  EXPECT_DOUBLE_EQ(each.relative, loss.relative);
}

TEST(Quantization, ManyAtATimeAreRoundedAsEachAlone) {
  for (const auto mode : k_quantization_modes) {
    for (size_t begin = 0; begin < 5; ++begin) {
      for (uint64_t first = 0; first < 3; ++first) {
        expect_as_each_alone<float>(mode, 3, begin, first);
        expect_as_each_alone<double>(mode, 6, begin, first);
      }
    }
  }
}

// An element whose error is the largest by far, at any place.
TEST(Quantization, TheLargestErrorIsFoundAtAnyPlace) {
  for (size_t at = 0; at < 37; ++at) {
    std::vector<float> numbers(37, 1 + 0x1p-20F);
    numbers[at] = -(1 + 0x1p-10F - 0x1p-23F);
    const auto quantization = Quantization::make(QuantizationMode::bit_round, 9, k_type_of<float>);
    const Loss loss = quantization->apply(std::as_writable_bytes(std::span(numbers)), 0);
    EXPECT_EQ(0x1p-10 - 0x1p-23, loss.absolute) << at;
    EXPECT_EQ(-1, numbers[at]);
  }
}

TEST(Quantization, BitsAreRoundedAway) {
  const auto zeros_behind = [](QuantizationMode mode, int digits) {
    float numbers[2] = {1.2345678F, 1.2345678F};
    Quantization::make(mode, digits, k_type_of<float>)->apply(std::as_writable_bytes(std::span(numbers)), 0);
    return std::countr_zero(std::bit_cast<uint32_t>(numbers[0]));
  };
  EXPECT_GE(zeros_behind(QuantizationMode::bit_groom, 3), 23 - 11);
  EXPECT_GE(zeros_behind(QuantizationMode::granular_bit_round, 3), 23 - 7);
  EXPECT_GE(zeros_behind(QuantizationMode::bit_round, 9), 23 - 9);
}

// Which of two neighbours gets ones does not depend on where a part of a chunk begins.
TEST(Quantization, GroomingGoesByThePlaceInTheChunk) {
  std::vector<float> all(10, 1.2345678F), parts = all;
  const auto quantization = Quantization::make(QuantizationMode::bit_groom, 2, k_type_of<float>);
  quantization->apply(std::as_writable_bytes(std::span(all)), 0);
  quantization->apply(std::as_writable_bytes(std::span(parts).first(3)), 0);
  quantization->apply(std::as_writable_bytes(std::span(parts).subspan(3)), 3);
  EXPECT_EQ(all, parts);
  EXPECT_NE(all[0], all[1]);
}

TEST(Quantization, TheBoundIsThatOfTheMode) {
  const auto bound = [](QuantizationMode mode, int digits) {
    return Quantization::make(mode, digits, k_type_of<float>)->bound();
  };
  EXPECT_EQ(1.0 / 1024, bound(QuantizationMode::bit_round, 9));
  EXPECT_DOUBLE_EQ(0.0005, bound(QuantizationMode::bit_groom, 3));
  EXPECT_DOUBLE_EQ(0.005, bound(QuantizationMode::granular_bit_round, 3));
  EXPECT_EQ(0, bound(QuantizationMode::none, 0));
}

// What is not changed has no error.
TEST(Quantization, NothingIsLostOfNumbersWithFewBits) {
  const float kept = 1.2345678F;
  std::vector<float> numbers{0, 1, -2, 0.5F, 1024, std::numeric_limits<float>::infinity(), kept};
  auto quantization = Quantization::make(QuantizationMode::bit_round, 9, k_type_of<float>);
  quantization->keep(std::as_bytes(std::span(&kept, 1)));
  EXPECT_EQ(Loss(), quantization->apply(std::as_writable_bytes(std::span(numbers)), 0));
}

TEST(Quantization, ADifferenceIsNeverTooSmall) {
  EXPECT_EQ(0.25, distance(1.0, 0.75));
  EXPECT_EQ(0.25, distance(0.75, 1.0));
  EXPECT_LT(1.0, distance(1.0, -1e-30));
  EXPECT_EQ(std::nextafter(1.0, 2.0), distance(1.0, -1e-30));
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    const double a = std::ldexp(number(random), i % 40), b = number(random);
    EXPECT_GE(distance(a, b), std::fabs(static_cast<long double>(a) - static_cast<long double>(b)));
  }
}

TEST(Quantization, NumbersOfDigits) {
  const auto code = [](QuantizationMode mode, int digits, uint32_t bytes) {
    return Quantization::make(mode, digits, bytes == 4 ? k_type_of<float> : k_type_of<double>)
        .status()
        .code();
  };
  EXPECT_EQ(Code::argument, code(QuantizationMode::bit_groom, 0, 4));
  EXPECT_EQ(Code::argument, code(QuantizationMode::bit_groom, 8, 4));
  EXPECT_EQ(Code::ok, code(QuantizationMode::granular_bit_round, 15, 8));
  EXPECT_EQ(Code::argument, code(QuantizationMode::granular_bit_round, 16, 8));
  EXPECT_EQ(Code::argument, code(QuantizationMode::bit_round, 24, 4));
  EXPECT_EQ(Code::ok, code(QuantizationMode::bit_round, 52, 8));
  EXPECT_TRUE(Quantization::make(QuantizationMode::none, 0, k_type_of<float>)->empty());
}

}  // namespace
}  // namespace scorpio::codec
