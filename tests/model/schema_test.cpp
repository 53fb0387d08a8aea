// Definitions, look-ups and hash of the file model.
#include "model/schema.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/growth.h"
#include "model/path.h"
#include "model/schema_adopt.h"
#include "model/schema_message.h"
#include "samples.h"

namespace scorpio::model {
namespace {

TEST(Schema, BeginsWithTheRootGroup) {
  const Schema schema;
  EXPECT_TRUE(schema.objects().has_group("/"));
  EXPECT_NE(schema.objects().attributes("/"), nullptr);
  EXPECT_EQ(schema.variables().count(), 0);
}

TEST(Schema, MakesMissingParents) {
  Schema schema;
  ASSERT_EQ(*schema.add_variable(variable("ocean/deep/temp", {2, 3})), 0);
  EXPECT_TRUE(schema.objects().has_group("/ocean"));
  EXPECT_TRUE(schema.objects().has_group("/ocean/deep"));
  EXPECT_FALSE(schema.objects().has_group("/ocean/deep/temp"));
  ASSERT_TRUE(schema.add_link("/links/t", "../ocean/deep/temp").ok());
  EXPECT_TRUE(schema.objects().has_group("/links"));
  EXPECT_EQ(schema.objects().find_variable("//ocean/deep//temp/"), 0);
  EXPECT_EQ(schema.objects().find_variable("/ocean"), std::nullopt);
  EXPECT_EQ(schema.objects().find_variable(".."), std::nullopt);
  EXPECT_EQ(schema.variables()[0].elements(), 6);
  EXPECT_EQ(schema.variables()[0].bytes(), 48u);
}

TEST(Schema, MembersAreDirectlyInTheGroup) {
  Schema schema;
  for (const char* path : {"/g/w", "/g/v", "/g/deep/v", "/ga/v", "/v"}) {
    ASSERT_TRUE(schema.add_variable(variable(path, {})).ok());
  }
  ASSERT_TRUE(schema.add_link("/g/l", "/v").ok());
  ASSERT_TRUE(schema.add_group("/g/b").ok());
  ASSERT_TRUE(schema.remove("/g/v").ok());
  const Members members = schema.objects().members("/g"), root = schema.objects().members("/");
  EXPECT_EQ(members.groups, (std::vector<std::string>{"b", "deep"}));
  EXPECT_EQ(members.variables, std::vector<int>{0});
  EXPECT_EQ(members.links, std::vector<std::string>{"l"});
  EXPECT_EQ(members.count(), 4u);
  EXPECT_EQ(root.groups, (std::vector<std::string>{"g", "ga"}));
  EXPECT_EQ(root.variables, std::vector<int>{4});
  EXPECT_EQ(schema.objects().members("/g/b").count(), 0u);
}

TEST(Schema, GroupAgainIsFineOthersAreNot) {
  Schema schema;
  ASSERT_TRUE(schema.add_group("/g").ok());
  EXPECT_TRUE(schema.add_group("g/").ok());
  ASSERT_TRUE(schema.add_variable(variable("/v", {})).ok());
  ASSERT_TRUE(schema.add_link("/l", "/v").ok());
  EXPECT_EQ(schema.add_group("/v").code(), Code::exists);
  EXPECT_EQ(schema.add_group("/l").code(), Code::exists);
  EXPECT_EQ(schema.add_variable(variable("/v", {})).status().code(), Code::exists);
  EXPECT_EQ(schema.add_variable(variable("/g", {})).status().code(), Code::exists);
  EXPECT_EQ(schema.add_variable(variable("/", {})).status().code(), Code::exists);
  EXPECT_EQ(schema.add_link("/v", "/g").code(), Code::exists);
}

TEST(Schema, FailureOnTheWayLeavesNothingBehind) {
  Schema schema;
  ASSERT_TRUE(schema.add_variable(variable("/v", {})).ok());
  const uint64_t hash = schema.hash();
  const auto status = schema.add_variable(variable("/v/a/b", {})).status();
  EXPECT_EQ(status.code(), Code::exists);
  EXPECT_NE(status.text().find("/v is already there, as a variable"), std::string::npos) << status.text();
  EXPECT_EQ(schema.add_variable(variable("/new/x", {-1})).status().code(), Code::argument);
  EXPECT_FALSE(schema.objects().has_group("/new"));
  EXPECT_EQ(schema.objects().groups().size(), 1u);
  EXPECT_EQ(schema.variables().count(), 1);
  EXPECT_EQ(schema.hash(), hash);
}

TEST(Schema, SizesThatDoNotFitAreRefused) {
  Schema schema;
  const auto status = schema.add_variable(variable("/big", {int64_t{1} << 40, int64_t{1} << 20})).status();
  EXPECT_EQ(status.code(), Code::limit);
  EXPECT_NE(status.text().find("/big"), std::string::npos);
  EXPECT_NE(status.text().find("1099511627776 x 1048576"), std::string::npos) << status.text();
  EXPECT_TRUE(schema.add_variable(variable("/fits", {int64_t{1} << 40, (int64_t{1} << 20) - 1})).ok());
  const auto empty = schema.add_variable(variable("/empty", {INT64_MAX, 0, INT64_MAX}));
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(schema.variables()[*empty].elements(), 0);
}

TEST(Schema, AttributesAreChecked) {
  Schema schema;
  EXPECT_TRUE(schema.put_attribute("/", "units", number(1)).ok());
  EXPECT_EQ(schema.put_attribute("/", "", number(1)).code(), Code::name);
  EXPECT_EQ(schema.put_attribute("/", std::string("a\0", 2), number(1)).code(), Code::name);
  EXPECT_TRUE(schema.put_attribute("/", "a/b: c.", number(1)).ok());
  Attribute cut = numbers(3);
  cut.value.pop_back();
  EXPECT_EQ(schema.put_attribute("/", "cut", cut).code(), Code::argument);
  cut.readable = false;
  EXPECT_TRUE(schema.put_attribute("/", "foreign", cut).ok());
  Attribute two_minds = numbers(1);
  two_minds.scalar = true;
  EXPECT_EQ(schema.put_attribute("/", "x", two_minds).code(), Code::argument);
  const Status missing = schema.put_attribute("/no/such", "units", number(1));
  EXPECT_EQ(missing.code(), Code::not_found);
  EXPECT_NE(missing.text().find("/no/such"), std::string::npos);
}

TEST(Schema, ReplacedAttributeIsToBeWrittenAgain) {
  Schema schema;
  ASSERT_TRUE(schema.put_attribute("/", "a", number(1)).ok());
  schema.clear_pending();
  ASSERT_TRUE(schema.put_attribute("/", "a", numbers(3)).ok());
  EXPECT_EQ(schema.pending().groups.at("/").attributes, (std::map<std::string, bool>{{"a", true}}));
  EXPECT_EQ(schema.objects().attributes("/")->at("a").dims, (std::vector<int64_t>{3}));
}

TEST(SchemaHash, EqualForEqualDefinitionsOnly) {
  const auto made = [](const char* path, std::vector<int64_t> dims, Kind kind, double value) {
    Schema schema;
    EXPECT_TRUE(schema.add_variable(variable(path, std::move(dims), kind)).ok());
    EXPECT_TRUE(schema.put_attribute(path, "a", number(value)).ok());
    return schema.hash();
  };
  const uint64_t hash = made("/a", {2, 3}, Kind::float64, 1);
  EXPECT_EQ(made("a/", {2, 3}, Kind::float64, 1), hash);
  EXPECT_NE(made("/b", {2, 3}, Kind::float64, 1), hash);
  EXPECT_NE(made("/a", {3, 2}, Kind::float64, 1), hash);
  EXPECT_NE(made("/a", {2, 3}, Kind::int64, 1), hash);
  EXPECT_NE(made("/a", {2, 3}, Kind::float64, 2), hash);
}

TEST(SchemaHash, AdvancesWithEachDefinition) {
  Schema schema;
  std::vector<uint64_t> seen{schema.hash()};
  const auto note = [&](Status status) {
    EXPECT_TRUE(status.ok());
    EXPECT_EQ(std::count(seen.begin(), seen.end(), schema.hash()), 0);
    seen.push_back(schema.hash());
  };
  note(schema.add_group("/g"));
  note(schema.add_link("/l", "/g"));
  note(schema.put_attribute("/g", "a", number(1)));
  note(schema.put_attribute("/g", "a", number(2)));
  note(schema.remove_attribute("/g", "a"));
  note(schema.remove("/g"));
}

template <typename Map>
auto keys(const Map& map) {
  std::set<typename Map::key_type> out;
  for (const auto& [key, value] : map) out.insert(key);
  return out;
}

TEST(Schema, PendingIsWhatChangedSinceItWasCleared) {
  Schema schema;
  for (const char* path : {"/a/x", "/a/y", "/b/z"}) ASSERT_TRUE(schema.add_variable(variable(path, {})).ok());
  EXPECT_EQ((std::set<std::string>{"/a", "/b"}), keys(schema.pending().groups));
  EXPECT_EQ((std::set<int>{0, 1, 2}), keys(schema.pending().variables));
  schema.clear_pending();
  EXPECT_EQ(schema.pending(), Pending());
  ASSERT_TRUE(schema.put_attribute("/a/y", "units", number(1)).ok());
  ASSERT_TRUE(schema.put_attribute("/b", "units", number(1)).ok());
  ASSERT_TRUE(schema.add_link("/link", "/a/x").ok());
  EXPECT_EQ((std::set<std::string>{"/b"}), keys(schema.pending().groups));
  EXPECT_EQ((std::set<int>{1}), keys(schema.pending().variables));
  EXPECT_EQ((std::set<std::string>{"/link"}), schema.pending().links);
  EXPECT_FALSE(schema.pending().is_new_group("/b"));
  EXPECT_FALSE(schema.pending().is_new_variable(1));
  ASSERT_TRUE(schema.add_variable(variable("/c/x", {})).ok());
  EXPECT_TRUE(schema.pending().is_new_group("/c"));
  EXPECT_TRUE(schema.pending().is_new_variable(3));
}

TEST(Schema, WhatIsPendingCanBeDiscarded) {
  Schema schema;
  for (const char* path : {"/a/x", "/b/y"}) ASSERT_TRUE(schema.add_variable(variable(path, {})).ok());
  ASSERT_TRUE(schema.put_attribute("/a/x", "kept", number(1)).ok());
  schema.clear_pending();
  ASSERT_TRUE(schema.put_attribute("/a/x", "units", number(1)).ok());
  ASSERT_TRUE(schema.put_attribute("/b", "note", number(1)).ok());
  ASSERT_TRUE(schema.add_variable(variable("/c/z", {})).ok());
  ASSERT_TRUE(schema.add_link("/link", "/a/x").ok());
  discard_pending(schema);
  EXPECT_EQ(schema.pending(), Pending());
  EXPECT_TRUE(schema.objects().find_variable("/a/x"));
  EXPECT_TRUE(schema.objects().attributes("/a/x")->contains("kept"));
  EXPECT_FALSE(schema.objects().attributes("/a/x")->contains("units"));
  EXPECT_TRUE(schema.objects().attributes("/b")->empty());
  EXPECT_FALSE(schema.variables().alive(2));
  EXPECT_FALSE(schema.objects().has_group("/c"));
  EXPECT_TRUE(schema.objects().links().empty());
  EXPECT_EQ(schema.variables().count(), 3);
}

// The writer takes out what it has done; what it has not is discarded.
TEST(Schema, WhatIsDoneIsNotDiscarded) {
  Schema schema;
  ASSERT_TRUE(schema.add_variable(variable("/a/x", {})).ok());
  ASSERT_TRUE(schema.put_attribute("/a/x", "units", number(1)).ok());
  schema.pending().groups.at("/a").is_new = false;
  schema.pending().variables.at(0).is_new = false;
  discard_pending(schema);
  EXPECT_TRUE(schema.objects().has_group("/a"));
  EXPECT_TRUE(schema.variables().alive(0));
  EXPECT_TRUE(schema.objects().attributes("/a/x")->empty());
}

TEST(Schema, AnAttributeOfTheFileIsMovedToItsNewName) {
  Schema schema;
  ASSERT_TRUE(schema.put_attribute("/", "a", number(1)).ok());
  schema.clear_pending();
  ASSERT_TRUE(schema.rename_attribute("/", "a", "b").ok());
  ASSERT_TRUE(schema.rename_attribute("/", "b", "c").ok());
  EXPECT_FALSE(schema.pending().groups.contains("/"));
  ASSERT_EQ(2u, schema.pending().removed.size());
  EXPECT_EQ("b", schema.pending().removed[0].moved_to);
  EXPECT_EQ("c", schema.pending().removed[1].moved_to);
}

TEST(Schema, ARenamedAttributeOfAnotherValueIsANewOne) {
  Schema schema;
  ASSERT_TRUE(schema.put_attribute("/", "a", number(1)).ok());
  schema.clear_pending();
  ASSERT_TRUE(schema.put_attribute("/", "a", number(2)).ok());
  ASSERT_TRUE(schema.rename_attribute("/", "a", "b").ok());
  EXPECT_EQ(schema.pending().groups.at("/").attributes, (std::map<std::string, bool>{{"b", false}}));
  EXPECT_EQ(graves(schema), (std::vector<std::string>{"/@a"}));
  ASSERT_TRUE(schema.rename_attribute("/", "b", "c").ok());
  EXPECT_EQ(graves(schema), (std::vector<std::string>{"/@a"})) << "b was never in the file";
}

TEST(Schema, AMessageHasTheLengthsOfUnlimitedDimensionsWithoutNames) {
  Schema schema;
  ASSERT_TRUE(schema.add_dimension({"t", 3, true}).ok());
  Variable both = variable("/both", {3, 5});
  both.dimensions = {0, own_dimension(0, 1)};
  both.records = true;
  both.inner_unlimited = 2;
  ASSERT_TRUE(schema.add_variable(both).ok());
  schema.grow({{0, 4}, {own_dimension(0, 1), 6}});
  const Schema copy = *deserialise(serialise(schema));
  for (const Schema* one : {static_cast<const Schema*>(&schema), &copy}) {
    EXPECT_EQ((std::vector<int64_t>{4, 6}), one->variables()[0].dims);
    EXPECT_EQ(4, one->dimensions().records());
    EXPECT_EQ((std::vector<int>{0, own_dimension(0, 1)}),
              unlimited_dimensions(one->dimensions(), one->variables()));
  }
}

TEST(Schema, PathsThroughSoftLinksAreFollowed) {
  Schema schema;
  ASSERT_TRUE(schema.add_variable(variable("/ocean/deep/temp", {})).ok());
  ASSERT_TRUE(schema.add_link("/sea", "/ocean").ok());
  ASSERT_TRUE(schema.add_link("/ocean/low", "deep").ok());
  ASSERT_TRUE(schema.add_link("/round", "/round").ok());
  EXPECT_EQ("/ocean/deep/temp", *schema.objects().follow("sea/low//temp"));
  EXPECT_EQ("/ocean/none", *schema.objects().follow("/sea/none"));
  EXPECT_EQ("/", *schema.objects().follow("/"));
  EXPECT_EQ(Code::not_found, schema.objects().follow("/round/x").status().code());
}

// The names that were listed last are kept: each change is seen, and each object has its own.
TEST(Schema, NamesOfAttributesFollowTheChanges) {
  Schema schema;
  ASSERT_TRUE(schema.add_variable(variable("v", {2})).ok());
  ASSERT_TRUE(schema.add_variable(variable("w", {2})).ok());
  using Texts = std::vector<std::string>;
  const auto names = [&](const std::string& object) { return *schema.objects().attribute_names(object); };
  const auto put = [&](const std::string& object, const std::string& name) {
    ASSERT_TRUE(schema.put_attribute(object, name, number(1.5)).ok());
  };
  EXPECT_EQ(nullptr, schema.objects().attribute_names("/none"));
  const Texts before = names("/v");
  EXPECT_EQ(before, names("/w"));
  put("/v", "b");
  put("/v", "a");
  put("/w", "c");
  const auto with = [&](Texts more) {
    more.insert(more.begin(), before.begin(), before.end());
    return more;
  };
  EXPECT_EQ(with({"b", "a"}), names("/v"));
  put("/v", "c");
  put("/v", "b");
  EXPECT_EQ(with({"b", "a", "c"}), names("/v"));
  const Schema copy = schema;
  ASSERT_TRUE(schema.rename_attribute("/v", "a", "z").ok());
  EXPECT_EQ(with({"b", "z", "c"}), names("/v"));
  ASSERT_TRUE(schema.remove_attribute("/v", "b").ok());
  EXPECT_EQ(with({"z", "c"}), names("/v"));
  EXPECT_EQ(with({"b", "a", "c"}), *copy.objects().attribute_names("/v"));
  EXPECT_EQ(with({"c"}), names("/w"));
  ASSERT_TRUE(schema.remove("/w").ok());
  EXPECT_EQ(nullptr, schema.objects().attribute_names("/w"));
  ASSERT_TRUE(schema.rename_variable(0, "w").ok());
  EXPECT_EQ(nullptr, schema.objects().attribute_names("/v"));
  EXPECT_EQ(with({"z", "c"}), names("/w"));
  discard_pending(schema);
  EXPECT_EQ(nullptr, schema.objects().attribute_names("/w"));
}

}  // namespace
}  // namespace scorpio::model
