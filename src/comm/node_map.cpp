#include "comm/node_map.h"

#include <algorithm>
#include <map>

namespace scorpio::comm {

namespace {

// The smallest rank of the node, real or simulated, of this rank; the same on all ranks of the node.
Result<int64_t> node_key(const Communicator& comm, int pretend, bool alone) {
  if (alone) return int64_t{comm.rank()};
  SCORPIO_ASSIGN(Communicator shared, comm.split_by_shared_memory());
  int64_t leader = comm.rank();
  SCORPIO_TRY(shared.broadcast({&leader, 1}, 0));
  SCORPIO_TRY(shared.free());
  if (pretend <= 0) return leader;
  // Rank r of n is on simulated node r * k / n, so that a node has consecutive ranks. The pair (real,
  // simulated) is the key.
  const int64_t imagined = int64_t{comm.rank()} * pretend / comm.size();
  return leader * pretend + imagined;
}

}  // namespace

NodeMap node_map(std::span<const int64_t> keys, int rank) {
  NodeMap map;
  std::map<int64_t, int> index;
  for (const int64_t key : keys) {
    const int r = static_cast<int>(map.node_of_rank.size());
    const auto [place, fresh] = index.try_emplace(key, map.nodes());
    if (fresh) map.ranks_of.emplace_back();
    map.node_of_rank.push_back(place->second);
    map.ranks_of[static_cast<size_t>(place->second)].push_back(r);
  }
  map.my_node = map.node_of_rank[static_cast<size_t>(rank)];
  const std::vector<int>& mine = map.local_ranks();
  map.my_local_rank = static_cast<int>(std::find(mine.begin(), mine.end(), rank) - mine.begin());
  return map;
}

Result<NodeMap> find_nodes(const Communicator& comm, int pretend, bool alone) {
  SCORPIO_ASSIGN(const int64_t key, node_key(comm, pretend, alone));
  SCORPIO_ASSIGN(const std::vector<int64_t> keys, comm.all_gather({&key, 1}));
  NodeMap map = node_map(keys, comm.rank());
  SCORPIO_ASSIGN(map.node, comm.split(map.my_node, comm.rank()));
  return map;
}

}  // namespace scorpio::comm
