// The variables of a file by index and path.
#include "model/variables.h"

#include <gtest/gtest.h>

#include <utility>

#include "samples.h"

namespace scorpio::model {
namespace {

struct VariablesTest : testing::Test {
  int add(const std::string& path) { return variables.add(variable(path, {2})); }
  Variables variables;
};

TEST_F(VariablesTest, AreFoundByPath) {
  EXPECT_EQ(0, add("/a"));
  EXPECT_EQ(1, add("/b"));
  EXPECT_EQ(0, variables.find("/a"));
  EXPECT_EQ(1, variables.find("/b"));
  EXPECT_EQ(std::nullopt, variables.find("/c"));
  EXPECT_EQ("/b", variables[1].path);
  EXPECT_FALSE(variables.alive(-1));
  EXPECT_FALSE(variables.alive(2));
}

TEST_F(VariablesTest, AnIndexIsNotUsedAgain) {
  add("/a");
  add("/b");
  variables.remove(1);
  EXPECT_FALSE(variables.alive(1));
  EXPECT_EQ(std::nullopt, variables.find("/b")) << "the last one";
  EXPECT_EQ(2, add("/b"));
  EXPECT_EQ(2, variables.find("/b"));
  variables.add_removed(variable("/b", {3}));
  EXPECT_EQ(4, variables.count());
  EXPECT_FALSE(variables.alive(3));
  EXPECT_EQ(2, variables.find("/b"));
  EXPECT_EQ(3, variables[3].dims[0]);
}

TEST_F(VariablesTest, ARenamedOneKeepsItsIndex) {
  add("/a");
  add("/b");
  for (const int index : {0, 1}) {
    const std::string path = index == 0 ? "/c" : "/a";
    variables.rename(index, path);
    EXPECT_EQ(index, variables.find(path));
    EXPECT_EQ(path, variables[index].path);
  }
  EXPECT_FALSE(variables.contains("/b"));
}

TEST_F(VariablesTest, BelowAPathOrAtIt) {
  add("/g/b");
  add("/g-other");
  add("/g/a/deep");
  add("/ga");
  add("/g/gone");
  variables.remove(4);
  EXPECT_EQ((std::vector<int>{2, 0}), variables.at_or_below("/g"));
  EXPECT_EQ(std::vector<int>{3}, variables.at_or_below("/ga"));
  EXPECT_EQ((std::vector<int>{1, 2, 0, 3}), variables.at_or_below("/"));
  EXPECT_TRUE(variables.at_or_below("/g/b/c").empty());
}

TEST_F(VariablesTest, UseDimensions) {
  Variable both = variable("/g/v", {2, 3});
  both.dimensions = {4, 7};
  variables.add(std::move(both));
  EXPECT_TRUE(variables.use(7));
  EXPECT_FALSE(variables.use(5));
  EXPECT_FALSE(variables.use(7, "/g"));
  EXPECT_TRUE(variables.use(7, "/g2"));
  variables.remove(0);
  EXPECT_FALSE(variables.use(7));
}

TEST_F(VariablesTest, DimensionsOfTheirOwnGrowApart) {
  Variable named = variable("/named", {3, 4}), own = variable("/own", {3, 5});
  named.dimensions = {0, 1};
  named.records = true;
  own.dimensions = {0, own_dimension(1, 1)};
  own.records = true;
  own.inner_unlimited = 2;
  variables.add(std::move(named));
  variables.add(std::move(own));
  const int dimension = own_dimension(1, 1);
  EXPECT_EQ(std::vector<int>{dimension}, variables.own_dimensions());
  variables.grow(dimension, 4);
  EXPECT_EQ(5, variables.length_of(dimension)) << "it does not shrink";
  variables.grow(dimension, 8);
  EXPECT_EQ(8, variables.length_of(dimension));
  variables.remove(1);
  EXPECT_TRUE(variables.own_dimensions().empty());
}

TEST_F(VariablesTest, FollowUnlimitedDimensions) {
  Dimensions dimensions;
  ASSERT_TRUE(dimensions.add({"t", 6, true}).ok());
  ASSERT_TRUE(dimensions.add({"x", 9, false}).ok());
  ASSERT_TRUE(dimensions.add({"u", 7, true}).ok());
  Variable records = variable("/records", {1, 2}), inner = variable("/inner", {2, 1}),
           fixed = variable("/fixed", {1});
  records.dimensions = {0, 1};
  records.records = true;
  inner.dimensions = {1, 2};
  inner.inner_unlimited = 2;
  fixed.dimensions = {0};
  for (Variable* one : {&records, &inner, &fixed}) variables.add(std::move(*one));
  variables.follow(dimensions);
  EXPECT_EQ((std::vector<int64_t>{6, 2}), variables[0].dims);
  EXPECT_EQ((std::vector<int64_t>{2, 7}), variables[1].dims);
  EXPECT_EQ(std::vector<int64_t>{1}, variables[2].dims);
}

}  // namespace
}  // namespace scorpio::model
