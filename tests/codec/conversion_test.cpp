// Which conversions exist, which are trivial, text and opaque.
#include "codec/conversion.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

namespace scorpio::codec {
namespace {

using model::ByteOrder;
using model::ElementType;
using model::Kind;
using model::native;

ElementType foreign(Kind kind) {
  ElementType type = native(kind);
  type.order = type.order == ByteOrder::big ? ByteOrder::little : ByteOrder::big;
  return type;
}

struct Text {
  std::string value;
  uint64_t misfits;
};

Text convert_text(const std::string& value, uint32_t from, uint32_t to) {
  std::string out(value.size() / from * to, '#');
  const auto conversion = Conversion::make(native(Kind::text, from), native(Kind::text, to));
  const uint64_t misfits = conversion->apply(reinterpret_cast<const std::byte*>(value.data()),
                                             reinterpret_cast<std::byte*>(out.data()), value.size() / from);
  return {out, misfits};
}

TEST(Convert, SameBytesAreTrivial) {
  EXPECT_TRUE(Conversion::make(native(Kind::float64), native(Kind::float64))->trivial());
  EXPECT_TRUE(Conversion::make(foreign(Kind::float64), foreign(Kind::float64))->trivial());
  EXPECT_TRUE(Conversion::make(native(Kind::int8), foreign(Kind::int8))->trivial());
  EXPECT_TRUE(Conversion::make(native(Kind::text, 5), native(Kind::text, 5))->trivial());
  EXPECT_TRUE(Conversion::make(native(Kind::opaque, 5), native(Kind::opaque, 5))->trivial());
  EXPECT_FALSE(Conversion::make(native(Kind::float64), foreign(Kind::float64))->trivial());
  EXPECT_FALSE(Conversion::make(native(Kind::int32), native(Kind::uint32))->trivial());
  EXPECT_FALSE(Conversion::make(native(Kind::int32), native(Kind::float32))->trivial());
  EXPECT_FALSE(Conversion::make(native(Kind::text, 5), native(Kind::text, 6))->trivial());
}

TEST(Convert, SizesAreBytesPerElement) {
  const auto conversion = Conversion::make(native(Kind::int16), native(Kind::float64));
  EXPECT_EQ(conversion->from_size, 2u);
  EXPECT_EQ(conversion->to_size, 8u);
}

TEST(Convert, NoNumbersFromTextAndBack) {
  const auto status = Conversion::make(native(Kind::text, 12), foreign(Kind::float64)).status();
  EXPECT_EQ(status.code(), Code::type);
  EXPECT_NE(status.text().find("text[12]"), std::string::npos);
  EXPECT_NE(status.text().find(to_string(foreign(Kind::float64))), std::string::npos);
  EXPECT_EQ(Conversion::make(native(Kind::int8), native(Kind::text, 1)).status().code(), Code::type);
  EXPECT_EQ(Conversion::make(native(Kind::opaque, 4), native(Kind::int32)).status().code(), Code::type);
  EXPECT_EQ(Conversion::make(native(Kind::opaque, 4), native(Kind::text, 4)).status().code(), Code::type);
  EXPECT_EQ(Conversion::make(native(Kind::opaque, 4), native(Kind::opaque, 5)).status().code(), Code::type);
  EXPECT_EQ(Conversion::make({Kind::int32, 5, ByteOrder::little}, native(Kind::int32)).status().code(),
            Code::type);
}

TEST(Convert, LongerTextIsPadded) {
  const Text text = convert_text("abcdefgh", 4, 6);
  EXPECT_EQ(text.value, std::string("abcd\0\0efgh\0\0", 12));
  EXPECT_EQ(text.misfits, 0u);
}

TEST(Convert, ShorterTextIsCutAndCountedIfCharactersAreLost) {
  const Text text = convert_text(std::string("abcd"
                                             "ab\0\0"
                                             "ab\0z"
                                             "abc\0",
                                             16),
                                 4, 2);
  EXPECT_EQ(text.value, "abababab");
  EXPECT_EQ(text.misfits, 2u);
}

TEST(Convert, OneElementIsRepeated) {
  for (const ElementType& type : {native(Kind::uint8), native(Kind::int16), native(Kind::float32),
                                  native(Kind::float64), native(Kind::opaque, 3)}) {
    const size_t size = type.size_bytes;
    const std::string value = std::string("ABCDEFGH").substr(0, size);
    for (size_t elements = 0; elements <= 150; ++elements) {
      std::string out((elements + 1) * size, '#'), expected;
      for (size_t i = 0; i < elements; ++i) expected += value;
      EXPECT_EQ(0u, Conversion::repeat(type).apply(reinterpret_cast<const std::byte*>(value.data()),
                                                   reinterpret_cast<std::byte*>(out.data()), elements));
      EXPECT_EQ(expected + std::string(size, '#'), out) << elements << " elements of " << size << " bytes";
    }
  }
}

TEST(Convert, NoElementsTouchNothing) {
  for (const auto& to : {native(Kind::float64), foreign(Kind::float64), native(Kind::int8)}) {
    EXPECT_EQ(Conversion::make(native(Kind::float64), to)->apply(nullptr, nullptr, 0), 0u);
  }
}

TEST(Convert, ByteOrderKeepsEveryBit) {
  const uint64_t signalling_nan = 0x7ff0000000000001u;
  uint64_t out = 0;
  const auto conversion = Conversion::make(native(Kind::float64), foreign(Kind::float64));
  EXPECT_EQ(conversion->apply(reinterpret_cast<const std::byte*>(&signalling_nan),
                              reinterpret_cast<std::byte*>(&out), 1),
            0u);
  EXPECT_EQ(out, __builtin_bswap64(signalling_nan));
}

}  // namespace
}  // namespace scorpio::codec
