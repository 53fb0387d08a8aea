// Selects the I/O ranks: a pure function of the node map and the options, with the same result on every rank.
#pragma once

#include <vector>

#include "base/result.h"
#include "comm/node_placement.h"

namespace scorpio::plan {

struct IoRankRequest {
  int count = 0;     // total number; 0: determined for each node
  int per_node = 0;  // 0: 1, or 2 on a node with k_many_ranks or more
  int group_size =
      0;  // > 0: the lowest rank of each group of this number of consecutive ranks (as in SCORPIO 2012)
  // > 0: I/O rank i is rank (base + i * stride) modulo the number of ranks (as in PIO); count 0: as many as
  // there are up to the last rank.
  int stride = 0;
  int base = 0;
  std::vector<int> list = {};  // exactly these ranks, in this order
};

// A node with at least this number of ranks has two I/O ranks by default.
inline constexpr int k_many_ranks = 8;

// Uses the first of list, group_size and stride that is given;
// otherwise spreads the I/O ranks evenly over the nodes and over the ranks of each node. The result is
// ascending, except for lists and strides. Code::argument for more I/O ranks than ranks, or for ranks that do
// not exist.
Result<std::vector<int>> choose_io_ranks(const comm::NodePlacement& nodes, const IoRankRequest& request);

// The number of different ranks that a stride reaches before it returns to the first one.
int ranks_of_stride(int ranks, int stride);

// The number of I/O ranks on each node.
std::vector<int> io_ranks_on_nodes(const comm::NodePlacement& nodes, const std::vector<int>& io_ranks);

// The maximum over the nodes, rounded up; a node without an I/O rank counts as one with one I/O rank.
int most_ranks_per_io_rank(const comm::NodePlacement& nodes, const std::vector<int>& io_ranks);

}  // namespace scorpio::plan
