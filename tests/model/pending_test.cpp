// The differences between a schema and its file.
#include "model/pending.h"

#include <gtest/gtest.h>

#include "model/byte_stream.h"

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

TEST(Pending, AnAttributeOfTheFileIsReplacedOrRemoved) {
  Pending pending;
  pending.put_attribute(0, "/v", "added", false);
  pending.put_attribute(0, "/v", "replaced", true);
  pending.put_attribute(0, "/v", "added", true);
  pending.put_attribute(0, "/v", "replaced", true);
  EXPECT_EQ((std::map<std::string, bool>{{"added", false}, {"replaced", true}}),
            pending.of(0, "/v").attributes);
  EXPECT_TRUE(pending.has_attribute(0, "/v", "added"));
  EXPECT_FALSE(pending.has_attribute(0, "/v", "a"));
  EXPECT_FALSE(pending.has_attribute(std::nullopt, "/v", "added"));
  for (const char* name : {"added", "replaced", "a"}) pending.remove_attribute(0, "/v", name);
  EXPECT_FALSE(pending.of(0, "/v").has_attributes());
  EXPECT_EQ((std::vector<Removed>{{"/v", "replaced"}, {"/v", "a"}}), pending.removed);
}

TEST(Pending, AnAttributeOfTheFileIsMovedToItsNewName) {
  Pending pending;
  pending.rename_attribute(std::nullopt, "/", "of the file", "x");
  EXPECT_TRUE(pending.groups.empty());
  pending.put_attribute(std::nullopt, "/", "replaced", true);
  pending.put_attribute(std::nullopt, "/", "added", false);
  pending.rename_attribute(std::nullopt, "/", "replaced", "y");
  pending.rename_attribute(std::nullopt, "/", "added", "z");
  EXPECT_EQ((std::map<std::string, bool>{{"y", false}, {"z", false}}), pending.groups.at("/").attributes);
  EXPECT_EQ((std::vector<Removed>{{"/", "of the file", "x"}, {"/", "replaced"}}), pending.removed);
}

TEST(Pending, ANewVariableHasNoAttributeInTheFile) {
  Pending pending;
  pending.add_variable(0);
  pending.put_attribute(0, "/v", "a", false);
  EXPECT_TRUE(pending.of(0, "/v").attributes.empty()) << "they are not listed";
  EXPECT_TRUE(pending.has_attribute(0, "/v", "any"));
  pending.remove_attribute(0, "/v", "a");
  pending.rename_attribute(0, "/v", "b", "c");
  EXPECT_TRUE(pending.removed.empty());
}

TEST(Pending, ObjectsOfTheFileAreRemovedFromIt) {
  Pending pending;
  pending.add_variable(0);
  pending.of(1, "/g/old").takes_space = true;
  pending.of(std::nullopt, "/new").is_new = true;
  pending.links.insert("/l");
  pending.rename_variable(0, "/v", "/w");
  pending.rename_variable(1, "/g/old", "/g/older");
  pending.remove_variable(0, "/w");
  pending.remove_group("/new");
  pending.remove_link("/l");
  EXPECT_EQ((std::vector<Removed>{{"/g/old", "", "/g/older"}}), pending.removed);
  pending.remove_variable(1, "/g/older");
  pending.remove_link("/g/link");
  pending.remove_group("/g");
  EXPECT_EQ(4u, pending.removed.size());
  EXPECT_EQ((Removed{"/g/link", ""}), pending.removed[2]);
  pending.remove_as_one("/g", 1);
  EXPECT_EQ((std::vector<Removed>{{"/g/old", "", "/g/older"}, {"/g", ""}}), pending.removed);
  EXPECT_TRUE(pending.variables.empty() && pending.groups.empty() && pending.links.empty());
}

TEST(Pending, IsReadAsItWasWritten) {
  Pending pending;
  pending.add_variable(2);
  pending.put_attribute(1, "/v", "replaced", true);
  pending.put_attribute(std::nullopt, "/g", "added", false);
  pending.links.insert("/l");
  pending.rename_variable(1, "/v", "/w");
  ByteWriter out;
  pending.write(out);
  const std::vector<std::byte> bytes = out.take();
  ByteReader in(bytes);
  EXPECT_EQ(pending, Pending::read(in));
  EXPECT_FALSE(in.failed());
  EXPECT_TRUE(in.at_end());
}

}  // namespace
}  // namespace scorpio::model
