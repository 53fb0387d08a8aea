// The ranks of each node, that is, those that can share memory. Determined once for each I/O system.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cpu_list.h"
#include "base/result.h"
#include "comm/communicator.h"
#include "comm/node_placement.h"

namespace scorpio::comm {

struct NodeMap {
  NodePlacement placement;
  int my_node = 0;
  int my_local_rank = 0;
  Communicator node;  // the ranks of my node, in rank order
  // The leaders of all nodes, in the order of the nodes; on other ranks, all other ranks. It exists only if
  // there are several nodes.
  Communicator leaders;
  // For each rank of the real node the CPUs on which it may run; empty if the ranks were not asked.
  std::vector<CpuSet> cpus;

  int nodes() const { return placement.nodes(); }
  int node_of(int rank) const { return placement.node_of(rank); }
  int leader(int node_index) const { return placement.leader(node_index); }
  int local_size() const { return placement.ranks_on(my_node); }
  int local_rank(int place) const { return placement.rank_at(my_node, place); }
  std::vector<int> ranks_of(int node_index) const { return placement.ranks_of(node_index); }
  std::vector<int> local_ranks() const { return ranks_of(my_node); }
  Status free();  // of the communicators. Collective
};

// The node map of `rank`, without the communicator: ranks with the same key share a node. Local.
NodeMap node_map(std::span<const int64_t> keys, int rank);

// The simulated node, of `nodes`, of a rank: nodes have consecutive ranks.
inline int64_t simulated_node(int rank, int ranks, int nodes) { return int64_t{rank} * nodes / ranks; }

// Collective. `pretend` > 0: divide the ranks into this number of nodes of consecutive ranks (ranks of
// different real nodes stay on different nodes); `alone`: each rank is a node of its own, so that all data
// are exchanged by messages. No rank tells its node to all others: the leaders find out by reductions whether
// the placement needs no table. If it needs one, they gather the ranks of all nodes, and the ranks of each
// node share a table (each rank has its own if they have no shared memory).
Result<NodeMap> find_nodes(const Communicator& comm, int pretend, bool alone);

}  // namespace scorpio::comm
