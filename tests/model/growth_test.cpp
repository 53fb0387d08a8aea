// Dimensions that grow, with and without names.
#include "model/growth.h"

#include <gtest/gtest.h>

#include <utility>

#include "samples.h"

namespace scorpio::model {
namespace {

class Growth : public ::testing::Test {
 protected:
  Growth() {
    EXPECT_TRUE(dimensions.add({"x", 4, false}).ok());
    EXPECT_TRUE(dimensions.add({"t", 3, true}).ok());
    Variable rows = variable("/rows", {3, 4}), both = variable("/both", {3, 5});
    rows.dimensions = {own_dimension(0, 0), 0};
    rows.records = true;
    both.dimensions = {1, own_dimension(1, 1)};
    both.records = true;
    both.inner_unlimited = 2;
    variables.add(std::move(rows));
    variables.add(std::move(both));
  }

  Dimensions dimensions;
  Variables variables;
};

TEST_F(Growth, ThoseWithNamesComeFirst) {
  EXPECT_EQ((std::vector<int>{1, own_dimension(0, 0), own_dimension(1, 1)}),
            unlimited_dimensions(dimensions, variables));
  variables.remove(0);
  EXPECT_EQ((std::vector<int>{1, own_dimension(1, 1)}), unlimited_dimensions(dimensions, variables));
}

TEST_F(Growth, VariablesFollowTheirDimensions) {
  grow(dimensions, variables, {{1, 6}, {own_dimension(1, 1), 7}});
  EXPECT_EQ((std::vector<int64_t>{6, 7}), variables[1].dims);
  EXPECT_EQ((std::vector<int64_t>{3, 4}), variables[0].dims) << "it has none of the two";
  EXPECT_EQ(6, length_of(dimensions, variables, 1));
  EXPECT_EQ(7, length_of(dimensions, variables, own_dimension(1, 1)));
  EXPECT_EQ(3, length_of(dimensions, variables, own_dimension(0, 0)));
}

TEST_F(Growth, NothingShrinks) {
  grow(dimensions, variables, {{1, 2}, {own_dimension(0, 0), 1}});
  EXPECT_EQ(3, length_of(dimensions, variables, 1));
  EXPECT_EQ((std::vector<int64_t>{3, 4}), variables[0].dims);
}

}  // namespace
}  // namespace scorpio::model
