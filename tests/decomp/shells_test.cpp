// The numbers of the points of a grid that grows: each point has one, and growth changes none.
#include "decomp/shells.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <vector>

namespace scorpio::decomp {
namespace {

using Extents = std::vector<int64_t>;

// Extents of a small grid of `dims` dimensions.
Extents small_grid(size_t dims) {
  return *rc::gen::container<Extents>(dims, rc::gen::inRange<int64_t>(1, dims < 3 ? 40 : 9));
}

template <typename Visit>
void for_each_point(const Extents& extents, Visit&& visit) {
  Extents point(extents.size());
  for (;;) {
    visit(point);
    size_t d = extents.size();
    while (d > 0 && ++point[d - 1] == extents[d - 1]) point[--d] = 0;
    if (d == 0) return;
  }
}

RC_GTEST_PROP(Shells, EachPointHasANumberOfItsOwnBelowTheEnd, ()) {
  const auto dims = *rc::gen::inRange<size_t>(1, 5);
  const Extents extents = small_grid(dims);
  const Shells shells(dims);
  const auto end = shells.end(extents);
  RC_ASSERT(end.has_value());
  std::set<int64_t> numbers;
  for_each_point(extents, [&](const Extents& point) {
    const auto number = shells.number(point);
    RC_ASSERT(number.has_value());
    RC_ASSERT(*number >= 0);
    RC_ASSERT(*number < *end);
    RC_ASSERT(numbers.insert(*number).second);
    Extents back(dims);
    shells.point(*number, back);
    RC_ASSERT(back == point);
  });
  RC_ASSERT(*numbers.rbegin() + 1 == *end);
}

// The numbers below the end of a grid are those of points: there are no gaps.
RC_GTEST_PROP(Shells, EachNumberIsThatOfAPoint, ()) {
  const auto dims = *rc::gen::inRange<size_t>(1, Shells::k_most_dims + 1);
  const Shells shells(dims);
  const auto number = *rc::gen::inRange<int64_t>(0, int64_t{1} << 40);
  Extents point(dims);
  shells.point(number, point);
  RC_ASSERT(shells.number(point) == number);
}

// A grid that is extended adds numbers in shells: points with more digits in some dimension, and no fewer in
// any other, come later.
RC_GTEST_PROP(Shells, LaterPointsOfLargerBlocks, ()) {
  const auto dims = *rc::gen::inRange<size_t>(1, 5);
  const Extents point = *rc::gen::container<Extents>(dims, rc::gen::inRange<int64_t>(0, 1000));
  Extents later = point;
  const auto d = *rc::gen::inRange<size_t>(0, dims);
  later[d] = 2 * later[d] + 1;
  const Shells shells(dims);
  RC_ASSERT(*shells.number(point) < *shells.number(later));
}

RC_GTEST_PROP(Shells, OneDimensionIsCountedByItsIndex, ()) {
  const auto index = *rc::gen::inRange<int64_t>(0, (int64_t{1} << 60));
  const Shells shells(1);
  RC_ASSERT(shells.number(Extents{index}) == index);
  Extents back(1);
  shells.point(index, back);
  RC_ASSERT(back[0] == index);
}

// The first numbers of two dimensions, as docs/decisions/chunks.md shows them. They must never change: a
// chunk keeps its place while the program runs.
TEST(Shells, TwoDimensions) {
  const int64_t numbers[4][4] = {{0, 1, 3, 4}, {2, 5, 12, 13}, {6, 14, 32, 33}, {7, 15, 34, 35}};
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 4; ++j)
      EXPECT_EQ(numbers[i][j], Shells(2).number(Extents{i, j})) << i << " " << j;
  }
}

// Numbers stay within about twice log2 of the points for two dimensions, whatever the shape of the grid.
TEST(Shells, FewNumbersBeyondThePoints) {
  const Shells shells(2);
  for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{1, 1 << 20},
                                      {1 << 20, 1},
                                      {1 << 10, 1 << 10},
                                      {3, 350000},
                                      {100000, 10}}) {
    const int64_t end = *shells.end(Extents{rows, columns});
    EXPECT_GE(end, rows * columns);
    EXPECT_LE(end, 40 * rows * columns) << rows << " x " << columns;
  }
}

TEST(Shells, LimitsOfTheNumbers) {
  EXPECT_TRUE(Shells(1).number(Extents{(int64_t{1} << 61) - 1}));
  EXPECT_FALSE(Shells(1).number(Extents{int64_t{1} << 62}));
  EXPECT_FALSE(Shells(2).number(Extents{int64_t{1} << 40, int64_t{1} << 40}));
  EXPECT_FALSE(Shells(2).end(Extents{INT64_MAX, INT64_MAX}));
  EXPECT_EQ(0, Shells(2).end(Extents{0, 5}));
  EXPECT_EQ(0, Shells(2).end(Extents{INT64_MAX, 0}));
}

}  // namespace
}  // namespace scorpio::decomp
