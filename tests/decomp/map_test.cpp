// Maps: any order, holes, the same element twice, bad indices.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "decomp/local_part.h"
#include "reference.h"

namespace scorpio::decomp {
namespace {

using Values = std::vector<int64_t>;

Values any_index(int64_t total) {
  auto index = *rc::gen::container<Values>(rc::gen::inRange<int64_t>(-1, 60));
  const int64_t last = total - 60;
  const int64_t shift = *rc::gen::element<int64_t>(0, last);
  for (int64_t& i : index) i = i < 0 ? -1 : i + shift;
  if (*rc::gen::arbitrary<bool>()) std::sort(index.begin(), index.end());
  return index;
}

RC_GTEST_PROP(MapProperty, HoldsEachElementWithItsPlace, ()) {
  const Values dims{int64_t{1} << 22, int64_t{1} << 20};
  const Values index = any_index(dims[0] * dims[1]);
  const auto part = map(dims, index);
  RC_ASSERT(part.ok());
  Elements expected;
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] >= 0) expected.push_back({index[i], static_cast<int64_t>(i)});
  }
  std::sort(expected.begin(), expected.end());
  check_promises(part->runs);
  RC_ASSERT(elements_of(part->runs) == expected);
  RC_ASSERT(part->local_elements == static_cast<int64_t>(index.size()));
  RC_ASSERT(!part->box);
}

RC_GTEST_PROP(MapProperty, IsCopiedAsItWasGiven, ()) {
  const Values dims{int64_t{1} << 22, int64_t{1} << 20};
  const Values index = any_index(dims[0] * dims[1]);
  const auto part = map(dims, index);
  RC_ASSERT(part.ok());
  const auto first = *rc::gen::inRange<size_t>(0, index.size() + 1);
  const auto n = *rc::gen::inRange<size_t>(0, index.size() - first + 1);
  Values copied(n, 77);
  copy_index(*part, static_cast<int64_t>(first), copied);
  RC_ASSERT(copied == Values(index.begin() + static_cast<std::ptrdiff_t>(first),
                             index.begin() + static_cast<std::ptrdiff_t>(first + n)));
}

TEST(Map, RegularMapsPackLikeBlocks) {
  Values index;
  for (int64_t row = 0; row < 100; ++row) {
    for (int64_t column = 20; column < 30; ++column) index.push_back(row * 50 + column);
  }
  const auto part = map(Values{100, 50}, index);
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->runs.segments().size(), 1u);
}

TEST(Map, OnlyHolesAndNothingAtAll) {
  const auto holes = map(Values{5}, Values{-1, -1});
  ASSERT_TRUE(holes.ok());
  EXPECT_TRUE(holes->runs.empty());
  EXPECT_EQ(holes->local_elements, 2);
  EXPECT_TRUE(map(Values{0}, {}).ok());
}

TEST(Map, BadIndexIsNamedWithItsPlace) {
  const auto beyond = map(Values{3, 4}, Values{0, 5, 12});
  ASSERT_EQ(beyond.status().code(), Code::shape);
  EXPECT_NE(beyond.status().text().find("index[2] = 12 is outside the array of 3 x 4 = 12"),
            std::string::npos)
      << beyond.status().text();
  EXPECT_EQ(map(Values{12}, Values{0, -2}).status().code(), Code::shape);
  EXPECT_EQ(map(Values{0}, Values{0}).status().code(), Code::shape);
  EXPECT_EQ(map(Values{INT64_MAX, 2}, Values{0}).status().code(), Code::limit);
}

}  // namespace
}  // namespace scorpio::decomp
