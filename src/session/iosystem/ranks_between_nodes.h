// The ranks that send or receive data between nodes: leaders and I/O ranks of different nodes. Pure.
#pragma once

#include <set>
#include <vector>

#include "comm/node_map.h"

namespace scorpio::session {

struct RanksBetweenNodes {
  std::set<int> all;    // the same on all ranks
  std::set<int> peers;  // of `rank`; none: it is not among them
};
// A leader is not among them if all I/O ranks are on its node.
RanksBetweenNodes ranks_between_nodes(const comm::NodeMap& nodes, const std::vector<int>& io_ranks, int rank);

}  // namespace scorpio::session
