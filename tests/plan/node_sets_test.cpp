// The elements of the nodes, and their form in messages.
#include "plan/node_sets.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace scorpio::plan {
namespace {

using decomp::CoarseSet;
using decomp::Interval;

const CoarseSet k_rows{{{100, 5, 4, 20}}, true};
const CoarseSet k_two{{{0, 10, 1, 0}, {50, 10, 1, 0}}, false};

TEST(NodeSets, OfEachNode) {
  const std::vector<CoarseSet> each{k_two, {}, k_rows};
  const NodeSets sets(each);
  ASSERT_EQ(3u, sets.nodes());
  EXPECT_FALSE(sets.exact());
  EXPECT_EQ((Interval{0, 60}), sets.hull(0));
  EXPECT_EQ((Interval{0, 0}), sets.hull(1));
  EXPECT_EQ((Interval{100, 165}), sets.hull(2));
  EXPECT_TRUE(sets.any(0, 9, 20));
  EXPECT_FALSE(sets.any(0, 10, 50));
  EXPECT_FALSE(sets.any(1, 0, 1000));
  EXPECT_FALSE(sets.any(2, 105, 120));
  EXPECT_TRUE(sets.any(2, 105, 121));
  EXPECT_FALSE(sets.any(2, 165, 1000));
}

TEST(NodeSets, OfAllNodesTogether) {
  const std::vector<CoarseSet> each{{{{0, 5, 4, 20}}, true}, {{{5, 15, 4, 20}}, true}};
  EXPECT_EQ((CoarseSet{{{0, 80, 1, 0}}, true}), NodeSets(each).all(1));
  EXPECT_EQ(k_rows, NodeSets::alike(7, k_rows).all(1));
  const std::vector<CoarseSet> inexact{k_two, k_rows};
  EXPECT_FALSE(NodeSets(inexact).all(10).exact);
}

TEST(NodeSets, AlikeOnAllNodes) {
  const NodeSets sets = NodeSets::alike(4, k_rows);
  ASSERT_EQ(4u, sets.nodes());
  EXPECT_TRUE(sets.exact());
  for (size_t n = 0; n < 4; ++n) EXPECT_EQ((Interval{100, 165}), sets.hull(n));
}

TEST(NodeSets, OnOneNodeOnly) {
  const NodeSets sets = NodeSets::alone(3, 1, k_rows);
  ASSERT_EQ(3u, sets.nodes());
  EXPECT_EQ((Interval{0, 0}), sets.hull(0));
  EXPECT_EQ((Interval{100, 165}), sets.hull(1));
  EXPECT_EQ((Interval{0, 0}), sets.hull(2));
}

TEST(NodeSets, AreBounded) {
  EXPECT_EQ(k_most_node_ranges, most_ranges_of_node(1));
  EXPECT_EQ(2u, most_ranges_of_node(1024));
  EXPECT_EQ(1u, most_ranges_of_node(100000));
  for (size_t nodes = 1; nodes <= k_most_node_ranges; ++nodes)
    ASSERT_LE(nodes * most_ranges_of_node(nodes), k_most_node_ranges);
}

RC_GTEST_PROP(NodeSets, AreWhatTheirWordsSay, ()) {
  std::vector<CoarseSet> sets;
  std::vector<int64_t> words;
  for (int n = *rc::gen::inRange(0, 6); n > 0; --n) {
    CoarseSet set;
    set.exact = *rc::gen::arbitrary<bool>();
    for (int i = *rc::gen::inRange(0, 5); i > 0; --i)
      set.ranges.push_back({*rc::gen::inRange<int64_t>(0, int64_t{1} << 50), 1, i, 2});
    append_words(words, set);
    sets.push_back(std::move(set));
  }
  RC_ASSERT(sets_of_words(words) == sets);
}

}  // namespace
}  // namespace scorpio::plan
