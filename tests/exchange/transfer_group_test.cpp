// The ranks that take part in an exchange between nodes, against a count of all pairs.
#include "exchange/between_nodes/transfer_group.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "exchange/transfer_peers.h"

namespace scorpio::exchange {
namespace {

TransferGroup by_pairs(const comm::NodeMap& nodes, const std::vector<int>& io_ranks) {
  const std::map<int, std::set<int>> peers = test::transfer_peers(nodes, io_ranks);
  TransferGroup group;
  group.ranks = peers.size();
  for (const auto& [rank, of_rank] : peers)
    group.most_peers = std::max<uint64_t>(group.most_peers, of_rank.size());
  return group;
}

RC_GTEST_PROP(TransferGroup, IsThatOfAllPairs, ()) {
  const int ranks = *rc::gen::inRange(1, 20);
  const int nodes = *rc::gen::inRange(1, ranks + 1);
  std::vector<int64_t> keys;
  std::vector<int> io_ranks;
  for (int rank = 0; rank < ranks; ++rank) {
    keys.push_back(rank < nodes ? rank : *rc::gen::inRange(0, nodes));
    if (*rc::gen::inRange(0, 3) == 0) io_ranks.push_back(rank);
  }
  if (io_ranks.empty()) io_ranks.push_back(*rc::gen::inRange(0, ranks));
  const comm::NodeMap map = comm::node_map(keys, 0);
  const TransferGroup found = TransferGroup::of(map, io_ranks), expected = by_pairs(map, io_ranks);
  RC_ASSERT(found.ranks == expected.ranks);
  RC_ASSERT(found.most_peers == expected.most_peers);
}

TEST(TransferGroup, CountsPartnersAndLengths) {
  const comm::NodeMap nodes = comm::node_map(std::vector<int64_t>{0, 0, 1, 1, 2, 2}, 0);
  const TransferGroup group = TransferGroup::of(nodes, {0});
  EXPECT_EQ(3u, group.ranks);
  EXPECT_EQ(2u, group.partners(Transfer::all_to_all));
  EXPECT_EQ(2u, group.partners(Transfer::neighbors));
  EXPECT_EQ(0u, group.length_bytes(Transfer::messages));
  // Four lengths of 8 bytes for each place and each peer, sent and received.
  EXPECT_EQ(2u * (3 + 2) * 4 * 8, group.length_bytes(Transfer::all_to_all));
  EXPECT_EQ(2u * (2 + 2) * 4 * 8, group.length_bytes(Transfer::neighbors));
}

TEST(TransferGroup, OneNodeHasNone) {
  const TransferGroup group = TransferGroup::of(comm::node_map(std::vector<int64_t>{0, 0, 0}, 0), {0, 2});
  EXPECT_EQ(0u, group.ranks);
  EXPECT_EQ(0u, group.partners(Transfer::all_to_all));
}

}  // namespace
}  // namespace scorpio::exchange
