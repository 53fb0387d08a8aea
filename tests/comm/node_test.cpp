// Nodes, real and pretended; memory that the ranks of a node share; sleeping and waking in it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>

#include "base/affinity.h"
#include "comm/futex.h"
#include "comm/node_map.h"
#include "comm/shared_segment.h"

namespace scorpio::comm {
namespace {

using std::chrono::milliseconds;

class Nodes : public testing::Test {
 protected:
  Nodes() : comm_(Communicator::duplicate(MPI_COMM_WORLD).value()) {}
  ~Nodes() override { EXPECT_TRUE(comm_.free().ok()); }
  Communicator comm_;
};

void expect_sound(const Communicator& comm, const NodeMap& map) {
  std::vector<int> seen;
  for (int n = 0; n < map.nodes(); ++n) {
    const std::vector<int> ranks = map.ranks_of(n);
    ASSERT_FALSE(ranks.empty());
    EXPECT_TRUE(std::is_sorted(ranks.begin(), ranks.end()));
    EXPECT_EQ(ranks.front(), map.leader(n));
    for (const int r : ranks) EXPECT_EQ(n, map.node_of(r));
    seen.insert(seen.end(), ranks.begin(), ranks.end());
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(static_cast<size_t>(comm.size()), seen.size());
  EXPECT_TRUE(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
  EXPECT_EQ(map.node_of(comm.rank()), map.my_node);
  EXPECT_EQ(comm.rank(), map.local_ranks()[static_cast<size_t>(map.my_local_rank)]);
  EXPECT_EQ(static_cast<int>(map.local_ranks().size()), map.node.size());
  EXPECT_EQ(map.my_local_rank, map.node.rank());
}

TEST_F(Nodes, AreRanksOfOneKey) {
  const std::vector<int64_t> keys{7, 3, 7, 9, 3};
  for (int rank = 0; rank < 5; ++rank) {
    const NodeMap map = node_map(keys, rank);
    const std::vector<int> node_of_rank{0, 1, 0, 2, 1};
    const std::vector<std::vector<int>> ranks_of{{0, 2}, {1, 4}, {3}};
    for (int r = 0; r < 5; ++r) EXPECT_EQ(node_of_rank[static_cast<size_t>(r)], map.node_of(r));
    for (int n = 0; n < 3; ++n) EXPECT_EQ(ranks_of[static_cast<size_t>(n)], map.ranks_of(n));
    EXPECT_EQ(node_of_rank[static_cast<size_t>(rank)], map.my_node);
    EXPECT_EQ(rank, map.local_ranks()[static_cast<size_t>(map.my_local_rank)]);
  }
}

TEST_F(Nodes, AnyNumberPretended) {
  for (int wanted = 1; wanted <= comm_.size(); ++wanted) {
    NodeMap map = find_nodes(comm_, wanted, false).value();
    expect_sound(comm_, map);
    EXPECT_EQ(wanted, map.nodes());
    size_t least = ~size_t{0}, most = 0;
    for (int n = 0; n < map.nodes(); ++n) {
      const std::vector<int> ranks = map.ranks_of(n);
      least = std::min(least, ranks.size());
      most = std::max(most, ranks.size());
      EXPECT_EQ(static_cast<int>(ranks.size()) - 1, ranks.back() - ranks.front()) << "consecutive";
    }
    EXPECT_LE(most - least, 1u);
    std::vector<int64_t> keys;
    for (int rank = 0; rank < comm_.size(); ++rank)
      keys.push_back(simulated_node(rank, comm_.size(), wanted));
    EXPECT_EQ(NodePlacement::of(keys).table_bytes(), map.placement.table_bytes());
    EXPECT_TRUE(map.free().ok());
  }
}

TEST_F(Nodes, KnowTheCpusOfAllRanksOfTheRealNode) {
  for (const int pretended : {0, comm_.size()}) {
    NodeMap map = find_nodes(comm_, pretended, false).value();
    ASSERT_EQ(static_cast<size_t>(comm_.size()), map.cpus.size()) << "all ranks of a test are on one node";
    EXPECT_EQ(own_cpus(), map.cpus[static_cast<size_t>(comm_.rank())]);
    for (const CpuSet& cpus : map.cpus) EXPECT_TRUE(cpus.any());
    EXPECT_TRUE(map.free().ok());
  }
}

// 8 ranks on 5 nodes: 2, 2, 1, 2 and 1 of them.
TEST_F(Nodes, WithoutOrderShareATable) {
  if (comm_.size() != 8) return;
  NodeMap map = find_nodes(comm_, 5, false).value();
  expect_sound(comm_, map);
  EXPECT_EQ(NodePlacement::table_size(8, 5) * sizeof(int), map.placement.table_bytes());
  const NodePlacement kept = map.placement;
  EXPECT_TRUE(map.free().ok());
  map = {};
  EXPECT_EQ((std::vector<int>{5, 6}), kept.ranks_of(3)) << "the table exists as long as a placement uses it";
}

TEST_F(Nodes, MoreThanRanksPretended) {
  NodeMap map = find_nodes(comm_, comm_.size() * 10, false).value();
  expect_sound(comm_, map);
  EXPECT_EQ(comm_.size(), map.nodes());
  EXPECT_TRUE(map.free().ok());
}

TEST_F(Nodes, EachRankAlone) {
  NodeMap map = find_nodes(comm_, 0, true).value();
  expect_sound(comm_, map);
  EXPECT_EQ(comm_.size(), map.nodes());
  EXPECT_TRUE(map.free().ok());
}

// The list of a node is the sum of the words of its ranks, and their number.
TEST_F(Nodes, ListsAreGatheredByNode) {
  const auto unite = [](std::span<const int64_t> words) {
    return std::vector<int64_t>{std::accumulate(words.begin(), words.end(), int64_t{0}),
                                static_cast<int64_t>(words.size())};
  };
  for (int wanted = 1; wanted <= comm_.size() + 1; ++wanted) {
    NodeMap map = find_nodes(comm_, wanted, wanted > comm_.size()).value();
    std::vector<int64_t> expected;
    for (int n = 0; n < map.nodes(); ++n) {
      expected.insert(expected.end(), {0, 0});
      for (const int64_t r : map.ranks_of(n)) {
        expected[expected.size() - 2] += r * (10 * r + 1);
        expected.back() += r;
      }
    }
    const int64_t rank = comm_.rank();
    const std::vector<int64_t> own(static_cast<size_t>(rank), 10 * rank + 1);  // none on rank 0
    EXPECT_EQ(expected, comm_.gather_by_node(map, own, unite).value()) << wanted << " nodes";
    EXPECT_TRUE(map.free().ok());
  }
}

TEST_F(Nodes, SegmentIsZeroAndSeenByAll) {
  for (const size_t bytes : {size_t{1}, size_t{4096}, size_t{3000001}}) {
    SharedSegment segment = SharedSegment::create(comm_, bytes).value();
    ASSERT_EQ(bytes, segment.size());
    EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(segment.data()) % 4096);
    EXPECT_TRUE(
        std::all_of(segment.data(), segment.data() + bytes, [](std::byte b) { return b == std::byte{0}; }));
    EXPECT_TRUE(comm_.barrier().ok());
    for (size_t i = static_cast<size_t>(comm_.rank()); i < bytes; i += static_cast<size_t>(comm_.size())) {
      segment.data()[i] = static_cast<std::byte>(1 + i % 251);
    }
    EXPECT_TRUE(comm_.barrier().ok());
    size_t wrong = 0;
    for (size_t i = 0; i < bytes; ++i)
      wrong += segment.data()[i] != static_cast<std::byte>(1 + i % 251) ? 1 : 0;
    EXPECT_EQ(0u, wrong);
    EXPECT_TRUE(comm_.barrier().ok());
  }
}

TEST_F(Nodes, SegmentThatIsTooLargeFailsEverywhere) {
  const auto segment = SharedSegment::create(comm_, size_t{1} << 50);
  ASSERT_FALSE(segment.ok());
  EXPECT_EQ(Code::memory, segment.status().code()) << segment.status().text();
  EXPECT_NE(std::string::npos, segment.status().text().find("1125899906842624")) << segment.status().text();
}

TEST_F(Nodes, MovedSegmentIsReleasedOnce) {
  SharedSegment first = SharedSegment::create(comm_, 100).value();
  SharedSegment second = std::move(first);
  EXPECT_EQ(nullptr, first.data());
  first = std::move(second);
  ASSERT_NE(nullptr, first.data());
  first.data()[99] = std::byte{1};
}

// Rank after rank wakes the next; no rank sleeps until the limit.
TEST_F(Nodes, FutexWakesAnotherProcess) {
  SharedSegment segment = SharedSegment::create(comm_, 64).value();
  auto& word = *reinterpret_cast<std::atomic<uint32_t>*>(segment.data());
  const auto start = std::chrono::steady_clock::now();
  const auto mine = static_cast<uint32_t>(comm_.rank());
  const auto size = static_cast<uint32_t>(comm_.size());
  for (uint32_t round = 0; round < 20; ++round) {
    for (uint32_t seen = word.load(); seen != round * size + mine; seen = word.load()) {
      futex_wait(word, seen, milliseconds(60000));
    }
    word.fetch_add(1);
    futex_wake_all(word);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(20000));
  EXPECT_TRUE(comm_.barrier().ok());
}

TEST_F(Nodes, FutexReturnsAtTheLimitAndWhenTheWordDiffers) {
  std::atomic<uint32_t> word{1};
  const auto start = std::chrono::steady_clock::now();
  futex_wait(word, 1, milliseconds(30));
  const auto waited = std::chrono::steady_clock::now() - start;
  EXPECT_GE(waited, milliseconds(29));
  EXPECT_LT(waited, milliseconds(20000));
  futex_wait(word, 0, milliseconds(60000));
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(20000));
}

}  // namespace
}  // namespace scorpio::comm
