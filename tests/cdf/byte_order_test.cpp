// Byte order and default fill values of data.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>

#include "format/cdf/byte_order.h"
#include "format/cdf/type.h"
#include "format/default_fill.h"
#include "samples.h"

namespace scorpio::format::cdf::test {
namespace {

// Element by element, at any alignment and length.
RC_GTEST_PROP(CdfByteOrder, SwapsEveryElementAndNothingElse, (std::vector<uint8_t> data, uint8_t shift)) {
  for (const size_t width : {1, 2, 4, 8}) {
    auto expected = data;
    auto actual = data;
    const size_t first = data.empty() ? 0 : shift % data.size();
    const size_t elements = (data.size() - first) / width;
    for (size_t i = 0; i < elements; ++i) {
      const auto begin = expected.begin() + static_cast<ptrdiff_t>(first + i * width);
      if (std::endian::native == std::endian::little)
        std::reverse(begin, begin + static_cast<ptrdiff_t>(width));
    }
    swap_in_place(reinterpret_cast<std::byte*>(actual.data()) + first, width, elements);
    RC_ASSERT(actual == expected);
  }
}

TEST(CdfByteOrder, LongRunsAreSwappedToTheEnd) {
  for (const size_t width : {2, 4, 8}) {
    for (size_t elements = 0; elements < 200; ++elements) {
      std::vector<unsigned char> data(width * elements + 1, 0xEE);
      for (size_t i = 0; i < width * elements; ++i) data[i] = static_cast<unsigned char>(i % width);
      swap_in_place(reinterpret_cast<std::byte*>(data.data()), width, elements);
      for (size_t i = 0; i < width * elements; ++i) {
        ASSERT_EQ(data[i], std::endian::native == std::endian::little ? width - 1 - i % width : i % width);
      }
      ASSERT_EQ(data.back(), 0xEE);
    }
  }
}

// The bytes that the specification prints, and netcdf.h's values for the types of CDF-5.
TEST(CdfFill, DefaultsAreThoseOfTheSpecification) {
  const std::vector<std::pair<Type, std::string>> expected{{Type::int8, "81"},
                                                           {Type::text, "00"},
                                                           {Type::int16, "8001"},
                                                           {Type::int32, "80000001"},
                                                           {Type::float32, "7cf00000"},
                                                           {Type::float64, "479e000000000000"},
                                                           {Type::uint8, "ff"},
                                                           {Type::uint16, "ffff"},
                                                           {Type::uint32, "ffffffff"},
                                                           {Type::int64, "8000000000000002"},
                                                           {Type::uint64, "fffffffffffffffe"}};
  for (const auto& [type, digits] : expected) {
    EXPECT_EQ(to_hex(netcdf_default_fill(element_type(type)).data(), size_bytes(type)), digits) << name(type);
  }
}

}  // namespace
}  // namespace scorpio::format::cdf::test
