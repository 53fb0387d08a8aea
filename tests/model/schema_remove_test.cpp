// Removal: what disappears from the model, and what is remembered for the file.
#include <gtest/gtest.h>

#include "model/schema.h"
#include "samples.h"

namespace scorpio::model {
namespace {

using Strings = std::vector<std::string>;

Schema tree() {
  Schema schema;
  EXPECT_TRUE(schema.add_variable(variable("/g/v", {4})).ok());
  EXPECT_TRUE(schema.add_variable(variable("/g/h/w", {4})).ok());
  EXPECT_TRUE(schema.add_variable(variable("/g-other", {4})).ok());
  EXPECT_TRUE(schema.add_variable(variable("/gg/v", {4})).ok());
  EXPECT_TRUE(schema.add_link("/g/link", "/gg/v").ok());
  EXPECT_TRUE(schema.put_attribute("/g/v", "units", number(1)).ok());
  return schema;
}

TEST(SchemaRemove, GroupTakesAllBelowAndNothingElse) {
  Schema schema = tree();
  ASSERT_TRUE(schema.remove("/g").ok());
  EXPECT_FALSE(schema.objects().has_group("/g"));
  EXPECT_FALSE(schema.objects().has_group("/g/h"));
  EXPECT_FALSE(schema.variables().alive(0));
  EXPECT_FALSE(schema.variables().alive(1));
  EXPECT_TRUE(schema.objects().links().empty());
  EXPECT_TRUE(schema.objects().find_variable("/g-other"));
  EXPECT_TRUE(schema.objects().find_variable("/gg/v"));
  EXPECT_EQ(schema.variables().count(), 4);
  EXPECT_TRUE(schema.pending().removed.empty()) << "the file never held any of it";
}

TEST(SchemaRemove, AGroupThatIsNotNewStandsForAllBelow) {
  Schema schema = tree();
  schema.clear_pending();
  ASSERT_TRUE(schema.remove("/g/v").ok());
  ASSERT_TRUE(schema.remove("/g").ok());
  EXPECT_EQ(graves(schema), (Strings{"/g/v", "/g"}));
}

TEST(SchemaRemove, PathCanBeDefinedAgain) {
  Schema schema = tree();
  schema.clear_pending();
  ASSERT_TRUE(schema.remove("/g/v").ok());
  const auto again = schema.add_variable(variable("/g/v", {9}));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, 4);
  EXPECT_EQ(schema.objects().find_variable("/g/v"), 4);
  EXPECT_TRUE(schema.pending().is_new_variable(4));
  EXPECT_EQ(graves(schema), (Strings{"/g/v"}));
  ASSERT_TRUE(schema.remove("/g/v").ok());
  EXPECT_EQ(graves(schema), (Strings{"/g/v"})) << "the file holds it once";
}

TEST(SchemaRemove, LinkLeavesItsTarget) {
  Schema schema = tree();
  schema.clear_pending();
  ASSERT_TRUE(schema.remove("/g/link").ok());
  EXPECT_TRUE(schema.objects().find_variable("/gg/v"));
  EXPECT_EQ(graves(schema), (Strings{"/g/link"}));
}

TEST(SchemaRemove, WhatIsNotThereCannotBeRemoved) {
  Schema schema = tree();
  const uint64_t hash = schema.hash();
  EXPECT_EQ(schema.remove("/none").code(), Code::not_found);
  EXPECT_EQ(schema.remove("/").code(), Code::argument);
  EXPECT_EQ(schema.remove_attribute("/g/v", "none").code(), Code::not_found);
  EXPECT_EQ(schema.remove_attribute("/none", "units").code(), Code::not_found);
  EXPECT_EQ(schema.hash(), hash);
}

TEST(SchemaRemove, AttributesOfTheFileAreRemembered) {
  Schema schema = tree();
  ASSERT_TRUE(schema.remove_attribute("/g/v", "units").ok());
  EXPECT_TRUE(schema.pending().removed.empty());
  ASSERT_TRUE(schema.put_attribute("/g/v", "units", number(2)).ok());
  schema.clear_pending();
  ASSERT_TRUE(schema.remove_attribute("/g/v", "units").ok());
  EXPECT_EQ(graves(schema), (Strings{"/g/v@units"}));
  EXPECT_TRUE(schema.objects().attributes("/g/v")->empty());
}

TEST(SchemaRemove, WhatWasRemovedIsNotPending) {
  Schema schema = tree();
  schema.clear_pending();
  ASSERT_TRUE(schema.put_attribute("/g/v", "units", number(2)).ok());
  ASSERT_TRUE(schema.put_attribute("/g", "note", number(2)).ok());
  ASSERT_TRUE(schema.add_variable(variable("/g/new", {})).ok());
  ASSERT_TRUE(schema.add_link("/g/new link", "/gg").ok());
  ASSERT_TRUE(schema.remove("/g").ok());
  EXPECT_EQ(additions(schema), Pending());
  EXPECT_EQ(graves(schema), (Strings{"/g"}));
}

TEST(SchemaRemove, RemovingAWrittenAttributeLeavesNothingPending) {
  Schema schema = tree();
  schema.clear_pending();
  ASSERT_TRUE(schema.remove_attribute("/g/v", "units").ok());
  EXPECT_EQ(additions(schema), Pending());
}

TEST(SchemaRemove, ReplacedAttributeStillHasItsOldValueInTheFile) {
  Schema schema = tree();
  schema.clear_pending();
  ASSERT_TRUE(schema.put_attribute("/g/v", "units", number(2)).ok());
  ASSERT_TRUE(schema.put_attribute("/g/v", "units", number(3)).ok());
  ASSERT_TRUE(schema.remove_attribute("/g/v", "units").ok());
  EXPECT_EQ(graves(schema), (Strings{"/g/v@units"}));
}

}  // namespace
}  // namespace scorpio::model
