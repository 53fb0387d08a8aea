// The named dimensions of a file.
#include "model/dimensions.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace scorpio::model {
namespace {

struct DimensionsTest : testing::Test {
  int add(const std::string& name, int64_t extent, const std::string& group = "/") {
    return *dimensions.add({name, extent, extent == 0, group});
  }
  Dimensions dimensions;
};

TEST_F(DimensionsTest, AreFoundByPathAndByName) {
  EXPECT_EQ(0, add("x", 3, "/a"));
  EXPECT_EQ(1, add("x", 4, "/b"));
  EXPECT_EQ(2, add("y", 5));
  EXPECT_EQ(0, dimensions.find("x")) << "the first one in any group";
  EXPECT_EQ(1, dimensions.find("/b//x"));
  EXPECT_EQ(1, dimensions.find("/b", "x"));
  EXPECT_EQ(std::nullopt, dimensions.find("/a/y"));
  EXPECT_EQ(3, add("x", 6));
  EXPECT_EQ(3, dimensions.find("x")) << "that of the root group";
}

TEST_F(DimensionsTest, BadOnesAreRefusedAndChangeNothing) {
  add("x", 3);
  EXPECT_EQ(Code::exists, dimensions.add({"x", 4}).status().code());
  EXPECT_EQ(Code::argument, dimensions.add({"y", -1}).status().code());
  EXPECT_EQ(Code::name, dimensions.add({"", 1}).status().code());
  EXPECT_EQ(1u, dimensions.all().size());
  EXPECT_EQ(3, dimensions[0].extent);
}

TEST_F(DimensionsTest, RenamedAndMoved) {
  add("x", 3, "/a");
  add("y", 4, "/a");
  EXPECT_EQ(Code::handle, dimensions.rename(2, "z").code());
  EXPECT_EQ(Code::exists, dimensions.rename(0, "y").code());
  EXPECT_EQ(Code::name, dimensions.rename(0, "b/z").code());
  EXPECT_TRUE(dimensions.rename(0, "x").ok()) << "its own name";
  ASSERT_TRUE(dimensions.rename(0, "z").ok());
  EXPECT_EQ(std::nullopt, dimensions.find("/a", "x"));
  EXPECT_EQ(0, dimensions.find("/a", "z"));
  dimensions.move_to_root(0);
  EXPECT_EQ("/z", dimensions[0].path());
  EXPECT_EQ(0, dimensions.find("/", "z"));
  EXPECT_EQ(std::nullopt, dimensions.find("/a", "z"));
}

TEST_F(DimensionsTest, UnlimitedOnesGrow) {
  add("x", 3);
  add("t", 0);
  add("u", 0);
  EXPECT_EQ((std::vector<int>{1, 2}), dimensions.unlimited());
  EXPECT_TRUE(dimensions.grow(1, 5));
  EXPECT_FALSE(dimensions.grow(1, 5));
  EXPECT_FALSE(dimensions.grow(1, 4));
  EXPECT_EQ(5, dimensions[1].extent);
  dimensions.drop(2);
  EXPECT_EQ(std::vector<int>{1}, dimensions.unlimited());
  EXPECT_FALSE(dimensions.contains(2));
  EXPECT_EQ(2, add("u", 7)) << "the name is free again";
}

// The first one of a name in any group, but that of the root group if there is one.
std::optional<int> by_plain_search(const Dimensions& dimensions, const std::string& name) {
  std::optional<int> found;
  for (int i = 0; dimensions.contains(i); ++i) {
    if (dimensions[i].name != name) continue;
    if (dimensions[i].group == "/") return i;
    if (!found) found = i;
  }
  return found;
}

TEST(DimensionsByName, AreThoseOfAPlainSearchAfterAnyChanges) {
  const std::vector<std::string> names{"a", "b", "c", "d"}, groups{"/", "/f", "/g", "/g/h"};
  EXPECT_TRUE(rc::check([&] {
    Dimensions dimensions;
    const auto name = rc::gen::elementOf(names);
    const auto any = [&] { return *rc::gen::inRange(0, static_cast<int>(dimensions.all().size()) + 1); };
    for (const int what : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 10))) {
      if (what < 5) {
        (void)dimensions.add({*name, 3, false, *rc::gen::elementOf(groups)});
      } else if (what < 8) {
        (void)dimensions.rename(any(), *name);
      } else if (what == 8) {
        const int index = any();
        if (dimensions.contains(index) && !dimensions.find("/", dimensions[index].name))
          dimensions.move_to_root(index);
      } else {
        dimensions.drop(static_cast<size_t>(any()));
      }
      for (const std::string& one : names)
        RC_ASSERT(dimensions.find(one) == by_plain_search(dimensions, one));
      for (const Dimension& one : dimensions.all())
        RC_ASSERT(dimensions[*dimensions.find(one.group, one.name)].path() == one.path());
    }
  }));
}

}  // namespace
}  // namespace scorpio::model
