#include "session/iosystem/ranks_between_nodes.h"

namespace scorpio::session {

RanksBetweenNodes ranks_between_nodes(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                                      int rank) {
  RanksBetweenNodes ranks;
  for (int node = 0; node < nodes.nodes(); ++node) {
    const int leader = nodes.leader(node);
    for (const int owner : io_ranks) {
      if (nodes.node_of(leader) == nodes.node_of(owner)) continue;
      ranks.all.insert({leader, owner});
      if (rank == leader) ranks.peers.insert(owner);
      if (rank == owner) ranks.peers.insert(leader);
    }
  }
  return ranks;
}

}  // namespace scorpio::session
