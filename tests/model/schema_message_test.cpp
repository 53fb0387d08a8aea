// The model as a message: nothing is lost, and damage is an error.
#include "model/schema_message.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "model/path.h"
#include "samples.h"
#include "support/truncation.h"

namespace scorpio::model {
namespace {

using Bytes = std::vector<std::byte>;

Schema rich() {
  Schema schema;
  EXPECT_TRUE(schema.add_group("/empty group").ok());
  EXPECT_TRUE(schema.put_attribute("/", "title", numbers(5)).ok());
  EXPECT_TRUE(schema.add_variable(variable("/g/old", {4})).ok());
  EXPECT_TRUE(schema.add_variable(variable("/g/gone", {})).ok());
  schema.clear_pending();
  EXPECT_TRUE(schema.remove("/g/gone").ok());
  EXPECT_TRUE(schema.add_group("/g/gone").ok());
  EXPECT_TRUE(schema.put_attribute("/", "title", number(2)).ok());
  Variable foreign = variable("/g/new", {2, 3}, Kind::int16);
  foreign.type.order = ByteOrder::big;
  foreign.foreign_type = "compound";
  foreign.storage = {Storage::Form::chunked, {1, 3}, {2, 1}};
  foreign.attributes["a"] = number(-1);
  foreign.attributes["a"].foreign =
      std::make_shared<const ForeignType>(ForeignType{"enumeration", std::string("a\0b", 3)});
  EXPECT_TRUE(schema.add_variable(foreign).ok());
  EXPECT_TRUE(schema.add_link("/l", "g/new").ok());
  schema.found_other("/t", "a named type");
  return schema;
}

TEST(SchemaMessage, RoundTripKeepsEverything) {
  const Schema before = rich();
  const auto after = deserialise(serialise(before));
  ASSERT_TRUE(after.ok()) << after.status().text();
  EXPECT_EQ(serialise(*after), serialise(before));
  EXPECT_EQ(after->hash(), before.hash());
  EXPECT_EQ(graves(*after), graves(before));
  EXPECT_TRUE(after->objects().has_group("/g/gone"));
  ASSERT_EQ(after->variables().count(), 3);
  EXPECT_FALSE(after->variables().alive(1));
  EXPECT_EQ(after->objects().find_variable("/g/new"), 2);
  const Variable& foreign = after->variables()[2];
  EXPECT_EQ(foreign.type.order, ByteOrder::big);
  EXPECT_EQ(foreign.foreign_type, "compound");
  EXPECT_EQ(foreign.storage, (Storage{Storage::Form::chunked, {1, 3}, {2, 1}}));
  EXPECT_EQ(after->variables()[0].storage, Storage());
  EXPECT_EQ(foreign.attributes.at("a").value, number(-1).value);
  EXPECT_EQ(foreign.attributes.at("a").foreign->description, "enumeration");
  EXPECT_EQ(foreign.attributes.at("a").foreign->encoded, std::string("a\0b", 3));
  EXPECT_EQ(after->pending(), before.pending());
  EXPECT_FALSE(after->pending().is_new_variable(0));
  EXPECT_TRUE(after->pending().is_new_variable(2));
  EXPECT_TRUE(after->pending().groups.at("/").attributes.at("title"));
  EXPECT_EQ(after->objects().links().at("/l").target, "g/new");
  EXPECT_EQ(after->objects().others().at("/t"), "a named type");
}

TEST(SchemaMessage, DefinitionsGoOnAsBefore) {
  Schema here = rich();
  auto there = deserialise(serialise(here));
  ASSERT_TRUE(there.ok());
  ASSERT_TRUE(here.add_group("/later").ok());
  ASSERT_TRUE(there->add_group("/later").ok());
  EXPECT_EQ(there->hash(), here.hash());
}

TEST(SchemaMessage, EveryTruncationIsAnError) {
  scorpio::test::expect_whole_message_is_needed(serialise(rich()),
                                                [](const Bytes& bytes) { return deserialise(bytes); });
}

void use(const Schema& schema) {
  for (int i = 0; i < schema.variables().count(); ++i) {
    const Variable& v = schema.variables()[i];
    RC_ASSERT(v.elements() >= 0);
    RC_ASSERT(v.bytes() <= static_cast<uint64_t>(INT64_MAX));
    RC_ASSERT(!to_string(v.type).empty());
    if (schema.variables().alive(i))
      RC_ASSERT(schema.objects().find_variable(v.path) == std::optional<int>(i));
  }
  for (const auto& [path, group] : schema.objects().groups())
    RC_ASSERT(schema.objects().has_group(parent(path)));
  const auto again = deserialise(serialise(schema));
  RC_ASSERT(again.ok());
  RC_ASSERT(serialise(*again) == serialise(schema));
}

// Eight bytes that claim absurd counts, or just noise, anywhere in a good message.
RC_GTEST_PROP(SchemaMessageProperty, DamageIsAnErrorOrASoundModel, ()) {
  Bytes bytes = serialise(rich());
  for (int hits = *rc::gen::inRange(1, 4); hits > 0; --hits) {
    const auto at = *rc::gen::inRange<size_t>(0, bytes.size());
    const bool absurd = *rc::gen::arbitrary<bool>();
    const size_t end = absurd ? std::min(at + 8, bytes.size()) : at + 1;
    const auto value = static_cast<std::byte>(absurd ? 0xff : *rc::gen::inRange(0, 256));
    std::fill(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin() + static_cast<ptrdiff_t>(end), value);
  }
  const auto schema = deserialise(bytes);
  if (schema.ok()) use(*schema);
}

RC_GTEST_PROP(SchemaMessageProperty, NoiseIsAnError, ()) {
  Bytes bytes;
  for (int value : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 256))) {
    bytes.push_back(static_cast<std::byte>(value));
  }
  RC_ASSERT(deserialise(bytes).status().code() == Code::format);
}

}  // namespace
}  // namespace scorpio::model
