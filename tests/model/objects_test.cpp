// The objects of a file by path, and their attributes.
#include "model/objects.h"

#include <gtest/gtest.h>

#include "samples.h"

namespace scorpio::model {
namespace {

class ObjectsTest : public ::testing::Test {
 protected:
  std::vector<std::string> names(const std::string& object) const {
    const std::vector<std::string>* const all = objects.attribute_names(object);
    return all == nullptr ? std::vector<std::string>() : *all;
  }
  void put(const std::string& object, const std::string& name, double value) {
    objects.put_attribute(objects.holder_of(object), name, number(value));
  }

  Objects objects;
};

TEST_F(ObjectsTest, NewGroupsAreThoseThatAreMissing) {
  EXPECT_EQ((std::vector<std::string>{"/a/b", "/a"}), objects.add_group("/a/b"));
  EXPECT_EQ(std::vector<std::string>{"/a/c"}, objects.add_group("/a/c"));
  EXPECT_TRUE(objects.add_group("/a").empty());
  EXPECT_TRUE(objects.has_group("a//b/"));
  EXPECT_EQ((std::vector<std::string>{"b", "c"}), objects.members("/a").groups);
}

TEST_F(ObjectsTest, APathIsFreeOrSaysWhatIsThere) {
  (void)objects.add_group("/g");
  objects.add_variable(variable("/v", {}));
  objects.add_link("/l", {"/v"});
  objects.add_other("/o", "a compound type");
  for (const auto& [path, kind] : {std::pair("/g", "a group"), std::pair("/v", "a variable"),
                                   std::pair("/l", "a soft link"), std::pair("/o", "a compound type")}) {
    const Status taken = objects.check_free(path);
    EXPECT_EQ(Code::exists, taken.code());
    EXPECT_NE(std::string::npos, taken.text().find(kind)) << taken.text();
    EXPECT_EQ(std::string(path) == "/g", objects.check_way(std::string(path) + "/x/y").ok()) << path;
  }
  EXPECT_TRUE(objects.check_free("/new").ok());
  EXPECT_TRUE(objects.check_way("/new/x").ok());
}

TEST_F(ObjectsTest, AnObjectGoesWithItsMembers) {
  (void)objects.add_group("/g/h");
  objects.add_variable(variable("/g/h/v", {}));
  objects.add_variable(variable("/gv", {}));
  objects.add_link("/g/l", {"/gv"});
  objects.add_other("/g/o", "a type");
  EXPECT_EQ(2u, objects.members("/g").count());
  objects.remove_all("/g");
  EXPECT_FALSE(objects.has_group("/g") || objects.has_group("/g/h"));
  EXPECT_FALSE(objects.variables().alive(0));
  EXPECT_TRUE(objects.variables().alive(1));
  EXPECT_TRUE(objects.links().empty());
  EXPECT_TRUE(objects.others().empty());
  EXPECT_EQ(0u, objects.members("/g").count()) << "the lists are made again";
}

TEST_F(ObjectsTest, AttributesAreInTheOrderOfTheirDefinition) {
  objects.add_variable(variable("/v", {}));
  for (const char* name : {"b", "c", "a"}) put("/v", name, 1);
  EXPECT_EQ((std::vector<std::string>{"b", "c", "a"}), names("/v"));
  put("/v", "d", 1);
  put("/v", "b", 2);
  EXPECT_EQ((std::vector<std::string>{"b", "c", "a", "d"}), names("/v")) << "a new value keeps its place";
  objects.rename_attribute(objects.holder_of("/v"), "c", "z");
  objects.remove_attribute(objects.holder_of("/v"), "a");
  EXPECT_EQ((std::vector<std::string>{"b", "z", "d"}), names("/v"));
  put("/", "of_root", 1);
  EXPECT_EQ(std::vector<std::string>{"of_root"}, names("/"));
  EXPECT_EQ(nullptr, objects.attribute_names("/none"));
}

TEST_F(ObjectsTest, AttributesAreThoseOfAnObject) {
  objects.add_variable(variable("/v", {}));
  put("/v", "a", 1);
  EXPECT_EQ(0, objects.holder_of("/v").variable);
  EXPECT_FALSE(objects.holder_of("/").variable.has_value());
  EXPECT_EQ(nullptr, objects.holder_of("/none").attributes);
  objects.set_attributes("/v", {{"x", number(3)}});
  EXPECT_EQ(std::vector<std::string>{"x"}, names("/v"));
  EXPECT_EQ(1u, objects.attributes("v")->size()) << "of any path";
  EXPECT_EQ(nullptr, objects.attributes("/w"));
}

}  // namespace
}  // namespace scorpio::model
