// Which ranks exchange data between nodes, pair by pair.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "comm/node_map.h"

namespace scorpio::test {

// [rank] the ranks of other nodes with which it exchanges data, of those that have any.
inline std::map<int, std::set<int>> transfer_peers(const comm::NodeMap& nodes,
                                                   const std::vector<int>& io_ranks) {
  std::map<int, std::set<int>> peers;
  for (int node = 0; node < nodes.nodes(); ++node) {
    for (const int owner : io_ranks) {
      if (nodes.node_of(owner) == node) continue;
      peers[nodes.leader(node)].insert(owner);
      peers[owner].insert(nodes.leader(node));
    }
  }
  return peers;
}

}  // namespace scorpio::test
