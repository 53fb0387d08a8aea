// Placement of I/O ranks: spread evenly over nodes and on a node; groups of consecutive ranks.
#include "plan/io_ranks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace scorpio::plan {
namespace {

using Nodes = std::vector<std::vector<int>>;

// Ranks 0, 1, ... on nodes of these sizes, in blocks or dealt out in turn.
Nodes nodes_of(const std::vector<int>& sizes, bool in_turn = false) {
  Nodes nodes(sizes.size());
  const int ranks = std::accumulate(sizes.begin(), sizes.end(), 0);
  size_t node = 0;
  for (int r = 0; r < ranks; ++r) {
    while (nodes[node].size() == static_cast<size_t>(sizes[node])) node = (node + 1) % sizes.size();
    nodes[node].push_back(r);
    if (in_turn) node = (node + 1) % sizes.size();
  }
  return nodes;
}

comm::NodePlacement placed(const Nodes& nodes) {
  std::vector<int64_t> keys;
  for (size_t node = 0; node < nodes.size(); ++node) {
    for (const int rank : nodes[node]) {
      keys.resize(std::max(keys.size(), static_cast<size_t>(rank) + 1));
      keys[static_cast<size_t>(rank)] = static_cast<int64_t>(node);
    }
  }
  return comm::NodePlacement::of(keys);
}

std::vector<int> chosen(const Nodes& nodes, const IoRankRequest& request) {
  const auto result = choose_io_ranks(placed(nodes), request);
  EXPECT_TRUE(result.ok()) << result.status().text();
  return result.ok() ? *result : std::vector<int>();
}

std::vector<int> per_node(const Nodes& nodes, const std::vector<int>& io_ranks) {
  std::vector<int> counts;
  for (const auto& node : nodes) {
    counts.push_back(static_cast<int>(std::count_if(node.begin(), node.end(), [&](int r) {
      return std::binary_search(io_ranks.begin(), io_ranks.end(), r);
    })));
  }
  return counts;
}

bool ascending_and_different(const std::vector<int>& ranks) {
  return std::adjacent_find(ranks.begin(), ranks.end(), std::greater_equal<>()) == ranks.end();
}

TEST(IoRanks, OneOrTwoPerNodeByDefault) {
  EXPECT_EQ((std::vector<int>{0}), chosen(nodes_of({7}), {}));
  EXPECT_EQ((std::vector<int>{0, 4}), chosen(nodes_of({8}), {}));
  EXPECT_EQ((std::vector<int>{0, 4, 8}), chosen(nodes_of({8, 3}), {}));
}

TEST(IoRanks, SpreadOverTheRanksOfANode) {
  EXPECT_EQ((std::vector<int>{0, 3, 6, 9}), chosen(nodes_of({12}), {.count = 4}));
  EXPECT_EQ((std::vector<int>{0, 2, 4, 6}), chosen(nodes_of({4, 4}), {.per_node = 2}));
}

TEST(IoRanks, MoreThanRanksIsAnError) {
  const auto result = choose_io_ranks(placed(nodes_of({3})), {.count = 4});
  EXPECT_EQ(Code::argument, result.status().code());
  EXPECT_NE(std::string::npos, result.status().text().find("4"));
}

// The PIO scheme: number, stride and base, modulo the number of ranks.
TEST(IoRanks, StrideFromABase) {
  EXPECT_EQ((std::vector<int>{1, 4, 7}), chosen(nodes_of({8}), {.stride = 3, .base = 1}));
  EXPECT_EQ((std::vector<int>{1, 4}), chosen(nodes_of({8}), {.count = 2, .stride = 3, .base = 1}));
  EXPECT_EQ((std::vector<int>{6, 1, 4}), chosen(nodes_of({8}), {.count = 3, .stride = 3, .base = 6}));
  EXPECT_EQ((std::vector<int>{3}), chosen(nodes_of({4}), {.stride = 100, .base = 3}));
  EXPECT_EQ(4, ranks_of_stride(8, 2));
  EXPECT_EQ(8, ranks_of_stride(8, 3));
}

TEST(IoRanks, StrideThatMeetsARankTwiceIsAnError) {
  const auto twice = choose_io_ranks(placed(nodes_of({8})), {.count = 5, .stride = 2});
  EXPECT_EQ(Code::argument, twice.status().code());
  EXPECT_NE(std::string::npos, twice.status().text().find("4 different ranks")) << twice.status().text();
  const auto base = choose_io_ranks(placed(nodes_of({8})), {.stride = 2, .base = 8});
  EXPECT_EQ(Code::argument, base.status().code());
  EXPECT_NE(std::string::npos, base.status().text().find("ranks 0 to 7")) << base.status().text();
}

TEST(IoRanks, ListKeepsItsOrder) {
  EXPECT_EQ((std::vector<int>{5, 0, 2}), chosen(nodes_of({3, 3}), {.list = {5, 0, 2}}));
  const auto result = choose_io_ranks(placed(nodes_of({3, 3})), {.list = {5, 6}});
  EXPECT_EQ(Code::argument, result.status().code());
  EXPECT_NE(std::string::npos, result.status().text().find("rank 6")) << result.status().text();
}

TEST(IoRanks, FewerThanNodesAreFarFromEachOther) {
  EXPECT_EQ((std::vector<int>{0, 4}), chosen(nodes_of({2, 2, 2, 2}), {.count = 2}));
  EXPECT_EQ((std::vector<int>{0, 2, 6}), chosen(nodes_of({2, 2, 2, 2, 2}), {.count = 3}));
  EXPECT_EQ((std::vector<int>{2, 1, 2, 1}),
            per_node(nodes_of({2, 2, 2, 2}), chosen(nodes_of({2, 2, 2, 2}), {.count = 6})));
}

TEST(IoRanks, EveryNodeTakesWhatASmallOneCannot) {
  EXPECT_EQ((std::vector<int>{1, 5}), per_node(nodes_of({1, 9}), chosen(nodes_of({1, 9}), {.count = 6})));
}

TEST(IoRanks, GroupsOfConsecutiveRanksWithAShortLastOne) {
  for (int ranks = 1; ranks <= 4096; ranks = ranks < 70 ? ranks + 1 : ranks * 2 - 3) {
    for (const int size : {1, 2, 3, 7, 64, 5000}) {
      const auto io_ranks = chosen(nodes_of({ranks}), {.group_size = size});
      ASSERT_EQ(static_cast<size_t>((ranks + size - 1) / size), io_ranks.size());
      for (size_t i = 0; i < io_ranks.size(); ++i) ASSERT_EQ(static_cast<int>(i) * size, io_ranks[i]);
    }
  }
}

// R004-02: equal nodes differ by one at most, for all numbers of ranks.
TEST(IoRanks, SharesOfEqualNodesDifferByOneAtMost) {
  for (int ranks = 1; ranks <= 4096; ranks += ranks < 128 ? 1 : 97) {
    for (const int on_node : {1, 4, 36}) {
      const int count_of_nodes = (ranks + on_node - 1) / on_node;
      const Nodes nodes = nodes_of(std::vector<int>(static_cast<size_t>(count_of_nodes), on_node));
      for (const int wanted : {1, ranks / 3, ranks}) {
        if (wanted < 1) continue;
        const auto io_ranks = chosen(nodes, {.count = wanted});
        ASSERT_EQ(static_cast<size_t>(wanted), io_ranks.size());
        const auto counts = per_node(nodes, io_ranks);
        const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
        ASSERT_LE(*most - *least, 1) << ranks << " ranks, " << on_node << " on a node, " << wanted;
      }
    }
  }
}

RC_GTEST_PROP(IoRanks, AsManyAsAskedForEachOnceAndEvenly, ()) {
  const auto sizes = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 40)));
  const Nodes nodes = nodes_of(sizes, *rc::gen::arbitrary<bool>());
  const int ranks = std::accumulate(sizes.begin(), sizes.end(), 0);
  const int count = *rc::gen::inRange(1, ranks + 1);
  const auto result = choose_io_ranks(placed(nodes), {.count = count});
  RC_ASSERT(result.ok());
  RC_ASSERT(result->size() == static_cast<size_t>(count));
  RC_ASSERT(ascending_and_different(*result));
  const auto counts = per_node(nodes, *result);
  const int most = *std::max_element(counts.begin(), counts.end());
  for (size_t n = 0; n < nodes.size(); ++n) {
    RC_ASSERT(counts[n] >= std::min(most - 1, static_cast<int>(nodes[n].size())));
  }
}

TEST(IoRanks, MostRanksThatShareOne) {
  EXPECT_EQ(8, most_ranks_per_io_rank(placed(nodes_of({16})), {0, 8}));
  EXPECT_EQ(6, most_ranks_per_io_rank(placed(nodes_of({16, 4})), {0, 5, 10, 16}));
  EXPECT_EQ(7, most_ranks_per_io_rank(placed(nodes_of({2, 7})), {0}));
  EXPECT_EQ(1, most_ranks_per_io_rank(placed(nodes_of({1, 1})), {0, 1}));
}

}  // namespace
}  // namespace scorpio::plan
