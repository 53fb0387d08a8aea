// Headers as models and back.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>

#include <array>
#include <cstring>

#include "defining.h"
#include "format/cdf/geometry.h"
#include "format/cdf/schema_header.h"
#include "samples.h"

namespace scorpio::format::cdf::test {
namespace {

using model::Kind;

// A value of zeros.
model::Attribute zeros(const model::ElementType& type, std::vector<int64_t> dims, bool scalar = false) {
  model::Attribute out;
  out.type = type;
  out.scalar = scalar;
  size_t bytes = type.size_bytes;
  for (const int64_t extent : dims) bytes *= static_cast<size_t>(extent);
  out.dims = std::move(dims);
  out.value.resize(bytes);
  return out;
}

RC_GTEST_PROP(CdfSchema, HeadersComeBackAsTheyWere, (uint64_t seed)) {
  Random random(seed);
  Header header = random_header(random, {.version = random_version(random)});
  RC_ASSERT(place_randomly(random, header));
  const Contents contents = take(to_contents(header, 0));
  RC_ASSERT(take(to_header(contents.schema, header.version, contents.placements)) == header);
  // What one rank read it sends to the others.
  const Contents sent = take(deserialise(serialise(contents.schema, contents.placements)));
  RC_ASSERT(take(to_header(sent.schema, header.version, sent.placements)) == header);
}

RC_GTEST_PROP(CdfSchema, NothingThatWasReadIsPendingAndAllHasItsPlace, (uint64_t seed)) {
  Random random(seed);
  Header header = random_header(random, {.version = random_version(random)});
  RC_ASSERT(place_randomly(random, header));
  const auto [schema, placements, format] = take(to_contents(header, 0));
  const Geometry geometry = take(Geometry::make(header));
  RC_ASSERT(schema.pending() == model::Pending());
  RC_ASSERT(schema.variables().count() == static_cast<int>(header.variables.size()));
  for (int i = 0; i < schema.variables().count(); ++i) {
    const model::Variable& variable = schema.variables()[i];
    const Extent& extent = geometry.variables()[static_cast<size_t>(i)];
    RC_ASSERT(!variable.filled);
    RC_ASSERT(placements.of(i) == Placement::at(extent.begin, extent.record ? geometry.record_bytes() : 0));
    RC_ASSERT(variable.slab_bytes() == extent.bytes);
    RC_ASSERT(variable.records == extent.record);
    RC_ASSERT(variable.type.order == model::ByteOrder::big);
    if (extent.record) RC_ASSERT(variable.dims[0] == static_cast<int64_t>(header.records));
  }
}

TEST(CdfSchema, AttributesHaveNativeValuesAndTheirOrder) {
  Header header;
  header.attributes = {text_attribute("z", "abc"),
                       {"a", Type::int16, from_hex("0102 fffe")},
                       text_attribute("empty", ""),
                       {"none", Type::float64, {}}};
  const model::Schema schema = take(to_contents(header, 0)).schema;
  const model::Attributes& held = *schema.objects().attributes("/");
  EXPECT_EQ(held.at("z").type, model::native(Kind::text, 3));
  EXPECT_TRUE(held.at("z").scalar);
  EXPECT_EQ(held.at("a").type, model::native(Kind::int16));
  EXPECT_EQ(held.at("a").dims, std::vector<int64_t>{2});
  std::array<int16_t, 2> values{};
  std::memcpy(values.data(), held.at("a").value.data(), 4);
  EXPECT_EQ(values, (std::array<int16_t, 2>{0x0102, -2}));
  EXPECT_EQ(held.at("empty").type, model::native(Kind::text, 1));
  EXPECT_EQ(held.at("empty").dims, std::vector<int64_t>{0});
  EXPECT_FALSE(held.at("empty").scalar);
  EXPECT_LT(held.at("z").order, held.at("a").order);
  EXPECT_EQ(take(to_header(schema, Version::cdf1)).attributes, header.attributes);
}

TEST(CdfSchema, AttributesOfAnyShapeAreFlattened) {
  model::Schema schema;
  model::Attribute numbers = zeros(model::native(Kind::int8), {2, 3});
  numbers.value = from_hex("010203040506");
  expect_ok(schema.put_attribute("/", "m", numbers));
  expect_ok(schema.put_attribute("/", "one", zeros(model::native(Kind::int32), {}, true)));
  const Header header = take(to_header(schema, Version::cdf2));
  EXPECT_EQ(header.attributes[0], (Attribute{"m", Type::int8, from_hex("010203040506")}));
  EXPECT_EQ(header.attributes[1], (Attribute{"one", Type::int32, from_hex("00000000")}));
}

TEST(CdfSchema, WhatTheVersionLacksIsRefused) {
  model::Attribute attribute = zeros(model::native(Kind::uint16), {}, true);
  EXPECT_EQ(to_attribute(Version::cdf2, "a", attribute).status().code(), Code::type);
  EXPECT_TRUE(to_attribute(Version::cdf5, "a", attribute).ok());
  attribute.type = model::native(Kind::opaque, 2);
  EXPECT_EQ(to_attribute(Version::cdf5, "a", attribute).status().code(), Code::type);
  model::Attribute strings = zeros(model::native(Kind::text, 2), {2});
  EXPECT_EQ(to_attribute(Version::cdf5, "a", strings).status().code(), Code::type);
  strings.dims = {1};
  strings.value.resize(2);
  EXPECT_TRUE(to_attribute(Version::cdf5, "a", strings).ok());
}

TEST(CdfSchema, NamesOfOldWritersKeepTheirSlash) {
  Header header;
  header.variables = {{"a/b", {}, {}, Type::int32, 4, 512}, {"c", {}, {}, Type::int32, 4, 516}};
  const auto [schema, placements, format] = take(to_contents(header, 0));
  EXPECT_TRUE(schema.objects().find_variable("/a/b").has_value());
  EXPECT_EQ(take(to_header(schema, Version::cdf5, placements)), header);
}

TEST(CdfSchema, NamesThatNoPathCanHoldAreUnsupported) {
  for (const char* name : {".", "..", "a//b", "/a", "a/", ""}) {
    Header header;
    header.variables = {{name, {}, {}, Type::int32, 4, 512}};
    EXPECT_EQ(to_contents(header, 0).status().code(), Code::unsupported) << name;
  }
  Header both;
  both.variables = {{"a", {}, {}, Type::int32, 4, 512}, {"a/b", {}, {}, Type::int32, 4, 516}};
  EXPECT_EQ(to_contents(both, 0).status().code(), Code::unsupported);
}

TEST(CdfSchema, RecordsOfAStreamedFileFollowFromItsSize) {
  Header header;
  header.records = k_streaming;
  header.dims = {{"t", 0, true}, {"x", 5, false}};
  header.variables = {{"v", {0, 1}, {}, Type::int16, 12, 512}};
  const model::Schema schema = take(to_contents(header, 512 + 3 * 10)).schema;
  EXPECT_EQ(schema.dimensions().records(), 3);
  EXPECT_EQ(schema.variables()[0].dims, (std::vector<int64_t>{3, 5}));
  EXPECT_EQ(take(to_contents(header, 512 + 39)).schema.dimensions().records(), 3);
}

TEST(CdfSchema, RemovedVariablesAreLeftOut) {
  Header header;
  header.dims = {{"x", 5, false}};
  header.variables = {{"v", {0}, {}, Type::int16, 12, 512}, {"w", {0}, {}, Type::int16, 12, 524}};
  auto [schema, placements, format] = take(to_contents(header, 0));
  expect_ok(schema.remove("/v"));
  EXPECT_EQ(variables_of(schema), std::vector<int>{1});
  header.variables.erase(header.variables.begin());
  EXPECT_EQ(take(to_header(schema, Version::cdf5, placements)), header);
}

}  // namespace
}  // namespace scorpio::format::cdf::test
