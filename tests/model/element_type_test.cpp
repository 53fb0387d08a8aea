// Facts and names of element types.
#include "model/element_type.h"

#include <gtest/gtest.h>

namespace scorpio::model {
namespace {

TEST(ElementType, Names) {
  EXPECT_EQ(to_string({Kind::int32, 4, ByteOrder::little}), "int32");
  EXPECT_EQ(to_string({Kind::float64, 8, ByteOrder::big}), "float64 (big-endian)");
  EXPECT_EQ(to_string({Kind::uint8, 1, ByteOrder::big}), "uint8");
  EXPECT_EQ(to_string({Kind::text, 12, ByteOrder::little}), "text[12]");
  EXPECT_EQ(to_string({Kind::opaque, 4, ByteOrder::big}), "opaque[4]");
}

TEST(ElementType, KindsAreWhatTheirNamesSay) {
  EXPECT_TRUE(is_signed(Kind::int8));
  EXPECT_FALSE(is_signed(Kind::uint32));
  EXPECT_TRUE(is_numeric(Kind::int16));
  EXPECT_FALSE(is_numeric(Kind::opaque));
}

TEST(ElementType, NativeKnowsTheSizesOfNumbers) {
  EXPECT_EQ(native(Kind::float64).size_bytes, 8u);
  EXPECT_EQ(native(Kind::int16, 99).size_bytes, 2u);
  EXPECT_EQ(native(Kind::text, 99).size_bytes, 99u);
}

TEST(ElementType, CheckRefusesImpossibleTypes) {
  EXPECT_TRUE(check(native(Kind::text, 5)).ok());
  EXPECT_EQ(check({Kind::int32, 8, ByteOrder::little}).code(), Code::type);
  EXPECT_EQ(check({Kind::text, 0, ByteOrder::little}).code(), Code::type);
  EXPECT_EQ(check({static_cast<Kind>(200), 4, ByteOrder::little}).code(), Code::type);
}

}  // namespace
}  // namespace scorpio::model
