#include "exchange/between_nodes/transfer_group.h"

#include <algorithm>

#include "exchange/between_nodes/leader_transfer.h"

namespace scorpio::exchange {

// A leader exchanges data with the I/O ranks of other nodes, an I/O rank with the leaders of other nodes; a
// rank that is both, with each of these once.
TransferGroup TransferGroup::of(const comm::NodeMap& nodes, const std::vector<int>& io_ranks) {
  TransferGroup group;
  const auto number = static_cast<size_t>(nodes.nodes());
  if (number < 2) return group;
  std::vector<uint64_t> owners(number, 0);
  std::vector<bool> leads(number, false);  // whether the leader is an I/O rank
  uint64_t leading = 0;
  for (const int rank : io_ranks) {
    const auto node = static_cast<size_t>(nodes.node_of(rank));
    ++owners[node];
    if (rank != nodes.leader(static_cast<int>(node)) || leads[node]) continue;
    leads[node] = true;
    ++leading;
  }
  const auto count = [&group](uint64_t peers) {
    if (peers == 0) return;
    ++group.ranks;
    group.most_peers = std::max(group.most_peers, peers);
  };
  for (size_t node = 0; node < number; ++node) {
    const uint64_t elsewhere = io_ranks.size() - owners[node];
    count(leads[node] ? elsewhere + (number - 1) - (leading - 1) : elsewhere);
    for (uint64_t i = leads[node] ? 1 : 0; i < owners[node]; ++i) count(number - 1);
  }
  return group;
}

uint64_t TransferGroup::partners(Transfer way) const {
  return way == Transfer::neighbors ? most_peers : std::max<uint64_t>(ranks, 1) - 1;
}

// Of the operation, for what is sent and what is received, and of the rank for its peers.
uint64_t TransferGroup::length_bytes(Transfer way) const {
  if (way == Transfer::messages) return 0;
  const uint64_t places = way == Transfer::neighbors ? most_peers : ranks;
  return 2 * (places + most_peers) * LeaderTransfer::k_most_under_way * sizeof(uint64_t);
}

}  // namespace scorpio::exchange
