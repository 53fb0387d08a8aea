// Which ranks share a node: every placement against a list of all ranks, and what is kept of it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "comm/node_placement.h"

namespace scorpio::comm {
namespace {

using Keys = std::vector<int64_t>;

// The ranks of each node, nodes in the order of their lowest rank.
std::vector<std::vector<int>> listed(const Keys& keys) {
  std::vector<std::vector<int>> nodes;
  std::map<int64_t, size_t> number;
  for (size_t rank = 0; rank < keys.size(); ++rank) {
    const auto [at, fresh] = number.try_emplace(keys[rank], nodes.size());
    if (fresh) nodes.emplace_back();
    nodes[at->second].push_back(static_cast<int>(rank));
  }
  return nodes;
}

// Empty if the placement is that of the keys.
std::string difference(const NodePlacement& placement, const Keys& keys) {
  const auto nodes = listed(keys);
  if (placement.ranks() != static_cast<int>(keys.size())) return "number of ranks";
  if (placement.nodes() != static_cast<int>(nodes.size())) return "number of nodes";
  for (size_t n = 0; n < nodes.size(); ++n) {
    const int node = static_cast<int>(n);
    if (placement.ranks_of(node) != nodes[n]) return "ranks of node " + std::to_string(n);
    if (placement.leader(node) != nodes[n].front()) return "leader of node " + std::to_string(n);
    if (placement.ranks_on(node) != static_cast<int>(nodes[n].size()))
      return "size of node " + std::to_string(n);
    if (!placement.fits(node, Keys(nodes[n].begin(), nodes[n].end())))
      return "fits() of node " + std::to_string(n);
    for (const int rank : nodes[n]) {
      if (placement.node_of(rank) != node) return "node of rank " + std::to_string(rank);
    }
  }
  return {};
}

// Consecutive ranks on nodes of these sizes.
Keys in_blocks(const std::vector<int>& sizes) {
  Keys keys;
  for (size_t node = 0; node < sizes.size(); ++node)
    keys.insert(keys.end(), static_cast<size_t>(sizes[node]), static_cast<int64_t>(node));
  return keys;
}

// Blocks of `width` ranks, dealt to the nodes in turn.
Keys in_turn(int ranks, int nodes, int width) {
  Keys keys;
  for (int rank = 0; rank < ranks; ++rank) keys.push_back(rank / width % nodes);
  return keys;
}

TEST(Placement, InBlocksNeedsNoTable) {
  for (const std::vector<int>& sizes : std::vector<std::vector<int>>{{1},
                                                                     {5},
                                                                     {4, 4, 4},
                                                                     {4, 4, 2},
                                                                     {4, 4, 3, 3, 3},
                                                                     {3, 3, 4, 4},
                                                                     {5, 4, 4, 1},
                                                                     {1, 1, 1},
                                                                     {2, 1, 1}}) {
    const NodePlacement placement = NodePlacement::of(in_blocks(sizes));
    EXPECT_EQ("", difference(placement, in_blocks(sizes))) << testing::PrintToString(sizes);
    EXPECT_EQ(0u, placement.table_bytes()) << testing::PrintToString(sizes);
  }
}

TEST(Placement, InTurnNeedsNoTable) {
  for (int ranks = 1; ranks < 40; ++ranks) {
    for (int nodes = 1; nodes <= 6; ++nodes) {
      for (int width = 1; width <= 3; ++width) {
        const Keys keys = in_turn(ranks, nodes, width);
        const NodePlacement placement = NodePlacement::of(keys);
        EXPECT_EQ("", difference(placement, keys)) << ranks << " ranks, " << nodes << " nodes, " << width;
        EXPECT_EQ(0u, placement.table_bytes()) << ranks << " ranks, " << nodes << " nodes, " << width;
      }
    }
  }
}

TEST(Placement, OfLargeJobsIsAFewNumbers) {
  for (const int ranks : {256, 16384, 1 << 17}) {
    for (const Keys& keys :
         {in_turn(ranks, ranks / 16, 16), in_turn(ranks, ranks / 16, 1), in_turn(ranks, 64, 4)})
      EXPECT_EQ(0u, NodePlacement::of(keys).table_bytes());
    EXPECT_EQ(0u, NodePlacement::each_alone(ranks).table_bytes());
  }
  EXPECT_EQ("", difference(NodePlacement::each_alone(300), in_turn(300, 300, 1)));
}

TEST(Placement, WithoutOrderHasATable) {
  const Keys keys{7, 3, 7, 9, 3, 3};
  const NodePlacement placement = NodePlacement::of(keys);
  EXPECT_EQ("", difference(placement, keys));
  EXPECT_EQ(NodePlacement::table_size(6, 3) * sizeof(int), placement.table_bytes());
  const NodePlacement copy = placement;
  EXPECT_EQ("", difference(copy, keys));
}

TEST(Placement, FitsOnlyTheRanksOfTheNode) {
  const NodePlacement placement = NodePlacement::of(in_blocks({4, 4, 2}));
  EXPECT_FALSE(placement.fits(0, Keys{0, 1, 2}));
  EXPECT_FALSE(placement.fits(0, Keys{0, 1, 2, 4}));
  EXPECT_FALSE(placement.fits(2, Keys{8, 9, 10}));
  // What nodes may tell of which no placement is made.
  const NodePlacement bogus = NodePlacement::without_table({1000, 900, 10, 10, 1, 990});
  EXPECT_FALSE(bogus.fits(899, Keys{999}));
}

RC_GTEST_PROP(Placement, OfAnyKeysIsThatOfTheList, ()) {
  const int ranks = *rc::gen::inRange(1, 80), nodes = *rc::gen::inRange(1, 12),
            kind = *rc::gen::inRange(0, 4);
  const int width = *rc::gen::inRange(1, 6);
  Keys keys = in_turn(ranks, nodes, width);
  if (kind == 1) {
    for (int64_t& key : keys) key = *rc::gen::inRange(0, nodes);
  } else if (kind == 2) {  // regular but for one rank
    keys[static_cast<size_t>(*rc::gen::inRange(0, ranks))] = *rc::gen::inRange(0, nodes + 1);
  } else if (kind == 3) {
    keys = in_blocks(*rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 6))));
  }
  RC_ASSERT(difference(NodePlacement::of(keys), keys) == "");
}

}  // namespace
}  // namespace scorpio::comm
