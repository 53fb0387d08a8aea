// The differences between a schema and its file.
#include "model/pending.h"

#include <gtest/gtest.h>

namespace scorpio::model {
namespace {

TEST(Pending, AnObjectIsAVariableOrAGroup) {
  Pending pending;
  pending.of(3, "/v").is_new = true;
  pending.of(1, "/u").takes_space = true;
  pending.of(std::nullopt, "/g").is_new = true;
  EXPECT_TRUE(pending.is_new_variable(3));
  EXPECT_FALSE(pending.is_new_variable(1));
  EXPECT_TRUE(pending.is_new_group("/g"));
  EXPECT_FALSE(pending.is_new_group("/v")) << "the path of a variable";
  EXPECT_TRUE(pending.of(3, "/v").is_new) << "the same object again";
  EXPECT_EQ(2u, pending.variables.size());
}

TEST(Pending, AttributesOfTheFileAreTakenAsSettled) {
  Pending pending;
  EXPECT_FALSE(pending.has_attribute(0, "/v", "a"));
  EXPECT_TRUE(pending.take_settled(0, "/v", "a")) << "the object has not changed";
  pending.of(0, "/v").add_attribute("added", false);
  pending.of(0, "/v").add_attribute("replaced", true);
  EXPECT_TRUE(pending.has_attribute(0, "/v", "added"));
  EXPECT_FALSE(pending.has_attribute(0, "/v", "a"));
  EXPECT_FALSE(pending.has_attribute(std::nullopt, "/v", "added"));
  EXPECT_FALSE(pending.take_settled(0, "/v", "added"));
  EXPECT_TRUE(pending.take_settled(0, "/v", "replaced"));
  EXPECT_TRUE(pending.take_settled(0, "/v", "a"));
  EXPECT_FALSE(pending.of(0, "/v").has_attributes()) << "the changes were taken";
}

TEST(Pending, ANewVariableHasNoAttributeInTheFile) {
  Pending pending;
  PendingObject& object = pending.of(0, "/v");
  object.is_new = object.all_attributes = true;
  object.add_attribute("a", false);
  EXPECT_TRUE(object.attributes.empty()) << "they are not listed";
  EXPECT_TRUE(pending.has_attribute(0, "/v", "any"));
  EXPECT_FALSE(pending.take_settled(0, "/v", "a"));
}

}  // namespace
}  // namespace scorpio::model
