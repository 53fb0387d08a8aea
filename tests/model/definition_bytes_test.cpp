// Attributes and variables as bytes.
#include "model/definition_bytes.h"

#include <gtest/gtest.h>

#include <memory>

#include "samples.h"

namespace scorpio::model {
namespace {

using Bytes = std::vector<std::byte>;

template <typename Value>
Bytes bytes_of(const Value& value) {
  ByteWriter out;
  write(out, value);
  return out.take();
}

Variable rich_variable() {
  Variable v = variable("/g/v", {2, 3}, Kind::int16);
  v.type.order = ByteOrder::big;
  v.dimensions = {4, -1};
  v.records = v.filled = v.other_order = true;
  v.inner_unlimited = 2;
  v.extensible = 3;
  v.storage = {Storage::Form::chunked, {1, 3}, {2, 1}, {0, 7}};
  v.foreign_type = "compound";
  v.unreadable = "why";
  v.attributes["a"] = number(-1);
  v.attributes["a"].order = 5;
  v.attributes["a"].foreign =
      std::make_shared<const ForeignType>(ForeignType{"type", std::string("a\0b", 3)});
  v.attributes["b"] = numbers(3);
  v.attributes["b"].strings = true;
  v.attributes["c"].readable = false;
  v.attributes["c"].unreadable = "another reason";
  return v;
}

TEST(DefinitionBytes, AVariableIsReadAsItWasWritten) {
  const Variable before = rich_variable();
  const Bytes bytes = bytes_of(before);
  ByteReader in(bytes);
  const Variable after = read_variable(in);
  EXPECT_TRUE(!in.failed() && in.at_end());
  EXPECT_EQ(bytes, bytes_of(after));
  EXPECT_EQ(before.path, after.path);
  EXPECT_EQ(before.type, after.type);
  EXPECT_EQ(before.dims, after.dims);
  EXPECT_EQ(before.dimensions, after.dimensions);
  EXPECT_TRUE(after.records && after.filled && after.other_order);
  EXPECT_EQ(2u, after.inner_unlimited);
  EXPECT_EQ(3u, after.extensible);
  EXPECT_EQ(before.storage, after.storage);
  EXPECT_EQ("compound", after.foreign_type);
  EXPECT_EQ("why", after.unreadable);
}

TEST(DefinitionBytes, AttributesAreReadAsTheyWereWritten) {
  const Attributes before = rich_variable().attributes;
  const Bytes bytes = bytes_of(before);
  ByteReader in(bytes);
  const Attributes after = read_attributes(in);
  ASSERT_EQ(3u, after.size());
  EXPECT_EQ(5u, after.at("a").order);
  EXPECT_EQ(before.at("a").value, after.at("a").value);
  EXPECT_EQ(std::string("a\0b", 3), after.at("a").foreign->encoded);
  EXPECT_TRUE(after.at("b").strings);
  EXPECT_EQ(before.at("b").dims, after.at("b").dims);
  EXPECT_FALSE(after.at("c").readable);
  EXPECT_EQ("another reason", after.at("c").unreadable);
}

TEST(DefinitionBytes, EveryTruncationIsSeen) {
  const Bytes whole = bytes_of(rich_variable());
  for (size_t size = 0; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    ByteReader in(cut);
    (void)read_variable(in);
    ASSERT_TRUE(in.failed()) << size;
  }
}

}  // namespace
}  // namespace scorpio::model
