// Coarse sets against element-wise references: they contain the set, and are the set if it needs few ranges.
#include "decomp/coarse_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "decomp/intervals.h"
#include "decomp/local_part.h"
#include "decomp/run_algebra.h"
#include "reference.h"

namespace scorpio::decomp {
namespace {

using Ranges = std::vector<StridedRange>;

RunList list_of(const std::vector<Interval>& intervals) {
  std::vector<Run> runs;
  int64_t local = 0;
  for (const Interval& i : intervals) {
    runs.push_back({i.begin, local, i.end - i.begin});
    local += i.end - i.begin;
  }
  return RunList(std::move(runs));
}

RunList block_of(const std::vector<int64_t>& dims, const std::vector<int64_t>& start,
                 const std::vector<int64_t>& count) {
  return block(dims, start, count).value().runs;
}

std::set<int64_t> elements_of_ranges(const Ranges& ranges) { return elements_of(intervals_of(ranges)); }

std::set<int64_t> held_by(const RunList& list) {
  std::set<int64_t> held;
  for (const auto& [global, local] : elements_of(list)) held.insert(global);
  return held;
}

bool sound(const Ranges& ranges) {
  for (size_t i = 0; i < ranges.size(); ++i) {
    const StridedRange& r = ranges[i];
    if (r.length < 1 || r.count < 1 || (r.count > 1 ? r.stride <= r.length : r.stride != 0)) return false;
    if (i > 0 && r.begin < ranges[i - 1].end()) return false;
  }
  return true;
}

TEST(CoarseSets, OfNothing) {
  EXPECT_EQ(CoarseSet(), coarse_set(RunList(), 1));
  EXPECT_EQ(CoarseSet(), united({}, 1));
  EXPECT_FALSE(any_in({}, 0, 10));
}

TEST(CoarseSets, RowsOfABlockAreOneRange) {
  const CoarseSet rows = coarse_set(block_of({100, 50}, {10, 5}, {20, 8}), 1);
  EXPECT_EQ((Ranges{{505, 8, 20, 50}}), rows.ranges);
  EXPECT_TRUE(rows.exact);
}

TEST(CoarseSets, PlacesInMemoryDoNotMatter) {
  Runs runs;
  for (int64_t i = 0; i < 1000; ++i) runs.push_back({i, (i * 7919) % 1000, 1});
  EXPECT_EQ((Ranges{{0, 1000, 1, 0}}), coarse_set(RunList(std::move(runs)), 1).ranges);
}

// The gaps between the rows of a plane are closed, those between planes are not.
TEST(CoarseSets, PlanesOfABlockAreOneRange) {
  const CoarseSet planes = coarse_set(block_of({16, 40, 30}, {2, 4, 6}, {8, 10, 5}), 1);
  const int64_t first = 2 * 1200 + 4 * 30 + 6;
  EXPECT_EQ((Ranges{{first, 9 * 30 + 5, 8, 1200}}), planes.ranges);
  EXPECT_FALSE(planes.exact);
}

TEST(CoarseSets, SmallestGapsAreClosedFirst) {
  const RunList list = list_of({{0, 10}, {11, 15}, {115, 117}, {119, 131}, {1000, 1001}});
  EXPECT_EQ((Ranges{{0, 15, 1, 0}, {115, 16, 1, 0}, {1000, 1, 1, 0}}), coarse_set(list, 3).ranges);
  EXPECT_EQ((Ranges{{0, 131, 1, 0}, {1000, 1, 1, 0}}), coarse_set(list, 2).ranges);
  EXPECT_EQ((Ranges{{0, 1001, 1, 0}}), coarse_set(list, 1).ranges);
}

// More runs than are considered one by one, in groups of which each becomes a range.
TEST(CoarseSets, OfVeryManyRuns) {
  constexpr int64_t k_groups = 5, k_runs = 20000;
  std::vector<Interval> runs, expected;
  for (int64_t g = 0; g < k_groups; ++g) {
    int64_t at = g * 10000000 + g * g;
    expected.push_back({at, 0});
    for (int64_t r = 0; r < k_runs; ++r) {
      runs.push_back({at, at + 1 + r % 3});
      expected.back().end = runs.back().end;
      at += 5 + r * 7 % 11;
    }
  }
  Ranges ranges;
  for (const Interval& i : expected) ranges.push_back({i.begin, i.end - i.begin, 1, 0});
  const CoarseSet set = coarse_set(list_of(runs), k_groups);
  EXPECT_FALSE(set.exact);
  EXPECT_EQ(intervals_of(ranges), intervals_of(set.ranges));
}

// The elements of the ranks of a node, which are consecutive columns of a large array.
TEST(CoarseSets, ColumnsOfManyRowsAreJoined) {
  constexpr int64_t k_rows = 1 << 20, k_columns = 64;
  std::vector<CoarseSet> sets;
  for (int64_t c : {5, 3, 4, 6})
    sets.push_back(coarse_set(block_of({k_rows, k_columns}, {0, c}, {k_rows, 1}), 1));
  EXPECT_EQ((CoarseSet{{{3, 4, k_rows, k_columns}}, true}), united(sets, 1));
  sets.push_back(coarse_set(block_of({k_rows, k_columns}, {0, 0}, {k_rows, 3}), 1));
  sets.push_back(coarse_set(block_of({k_rows, k_columns}, {0, 7}, {k_rows, 57}), 1));
  EXPECT_EQ((CoarseSet{{{0, k_rows * k_columns, 1, 0}}, true}), united(sets, 1));
}

// The blocks of the ranks of a node, which are complete rows together.
TEST(CoarseSets, BlocksAreJoinedToPlanes) {
  std::vector<CoarseSet> sets;
  for (int64_t y = 0; y < 3; ++y) {
    for (int64_t x = 0; x < 4; ++x)
      sets.push_back(coarse_set(block_of({10, 50, 32}, {2, 10 + 8 * y, 8 * x}, {5, 8, 8}), 5));
  }
  EXPECT_EQ((CoarseSet{{{2 * 1600 + 10 * 32, 24 * 32, 5, 1600}}, true}), united(sets, 5));
}

// Columns that do not touch would need too many intervals.
TEST(CoarseSets, ColumnsThatDoNotTouchAreCoarse) {
  constexpr int64_t k_rows = 1 << 20, k_columns = 64;
  std::vector<CoarseSet> sets;
  for (int64_t c : {1, 9}) sets.push_back(coarse_set(block_of({k_rows, k_columns}, {0, c}, {k_rows, 1}), 4));
  const CoarseSet both = united(sets, 4);
  EXPECT_FALSE(both.exact);
  EXPECT_EQ((Ranges{{1, (k_rows - 1) * k_columns + 9, 1, 0}}), both.ranges);
}

TEST(CoarseSets, FewRangesStayAsTheyAre) {
  const CoarseSet a{{{0, 2, 3, 10}}, true}, b{{{30, 5, 1, 0}}, true};
  const std::vector<CoarseSet> sets{b, a};
  EXPECT_EQ((CoarseSet{{a.ranges[0], b.ranges[0]}, true}), united(sets, 2));
}

RC_GTEST_PROP(CoarseSets, ContainTheListInAtMostSoManyRanges, ()) {
  const RunList list = last_wins(RunList(any_runs(any_origin())));
  const auto most = *rc::gen::inRange<size_t>(1, 12);
  const CoarseSet set = coarse_set(list, most);
  RC_ASSERT(sound(set.ranges));
  RC_ASSERT(set.ranges.size() <= most);
  const std::set<int64_t> held = held_by(list), described = elements_of_ranges(set.ranges);
  RC_ASSERT(std::includes(described.begin(), described.end(), held.begin(), held.end()));
  RC_ASSERT(set.exact == (described == held));
  RC_ASSERT(static_cast<int64_t>(described.size()) == set.elements());
  if (!held.empty()) RC_ASSERT(*described.begin() == *held.begin() && *described.rbegin() == *held.rbegin());
  if (list.run_count() <= static_cast<int64_t>(most)) RC_ASSERT(set.exact);
}

RC_GTEST_PROP(CoarseSets, UnionsContainEachSet, ()) {
  const int64_t origin = any_origin();
  const auto most = *rc::gen::inRange<size_t>(1, 12);
  std::vector<CoarseSet> sets;
  std::set<int64_t> all;
  bool exact = true;
  for (int n = *rc::gen::inRange(0, 5); n > 0; --n) {
    const RunList list = last_wins(RunList(any_runs(origin)));
    sets.push_back(coarse_set(list, *rc::gen::inRange<size_t>(1, 12)));
    exact = exact && sets.back().exact;
    all.merge(elements_of_ranges(sets.back().ranges));
  }
  const CoarseSet set = united(sets, most);
  RC_ASSERT(sound(set.ranges));
  RC_ASSERT(set.ranges.size() <= most);
  const std::set<int64_t> described = elements_of_ranges(set.ranges);
  RC_ASSERT(std::includes(described.begin(), described.end(), all.begin(), all.end()));
  RC_ASSERT(set.exact == (exact && described == all));
}

RC_GTEST_PROP(CoarseSets, KnowWhetherTheyHaveElementsInARange, ()) {
  const int64_t origin = any_origin();
  const RunList list = last_wins(RunList(any_runs(origin)));
  const CoarseSet set = coarse_set(list, 8);
  const std::set<int64_t> described = elements_of_ranges(set.ranges);
  const int64_t begin = origin + 990 + *rc::gen::inRange(0, 120), end = begin + *rc::gen::inRange(-2, 40);
  const auto first = described.lower_bound(begin);
  RC_ASSERT(any_in(set.ranges, begin, end) == (first != described.end() && *first < end));
}

}  // namespace
}  // namespace scorpio::decomp
