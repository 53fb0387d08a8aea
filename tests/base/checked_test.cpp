// Overflow-checked arithmetic against 128-bit arithmetic.
#include "base/checked.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>

namespace scorpio {
namespace {

__extension__ using Wide = __int128;

template <typename T>
bool fits(Wide value) {
  return value >= Wide{std::numeric_limits<T>::min()} && value <= Wide{std::numeric_limits<T>::max()};
}

TEST(Checked, AddAgreesWithWideArithmetic) {
  EXPECT_TRUE(rc::check([](int64_t a, int64_t b) {
    const Wide exact = Wide{a} + b;
    const auto sum = checked_add(a, b);
    RC_ASSERT(sum.has_value() == fits<int64_t>(exact));
    if (sum) RC_ASSERT(Wide{*sum} == exact);
  }));
}

TEST(Checked, MulAgreesWithWideArithmetic) {
  EXPECT_TRUE(rc::check([](uint32_t small_a, uint32_t small_b, uint8_t shift_a, uint8_t shift_b) {
    const uint64_t a = uint64_t{small_a} << (shift_a % 33);
    const uint64_t b = uint64_t{small_b} << (shift_b % 33);
    const auto product = checked_mul(a, b);
    const bool expected = a == 0 || b <= std::numeric_limits<uint64_t>::max() / a;
    RC_ASSERT(product.has_value() == expected);
    if (product) RC_ASSERT(*product == a * b);
  }));
}

TEST(Checked, Limits) {
  constexpr auto k_max = std::numeric_limits<int64_t>::max();
  constexpr auto k_min = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(checked_add(k_max, int64_t{0}), k_max);
  EXPECT_EQ(checked_add(k_max, int64_t{1}), std::nullopt);
  EXPECT_EQ(checked_add(k_min, int64_t{-1}), std::nullopt);
  EXPECT_EQ(checked_mul(k_min, int64_t{-1}), std::nullopt);
  EXPECT_EQ(checked_add(std::numeric_limits<uint64_t>::max(), uint64_t{1}), std::nullopt);
}

}  // namespace
}  // namespace scorpio
