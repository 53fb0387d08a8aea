// Which ranks do I/O: a pure function of the node map and the options, the same on every rank.
#pragma once

#include <vector>

#include "base/result.h"

namespace scorpio::plan {

struct IoRankRequest {
  int count = 0;       // in all; 0 = by node
  int per_node = 0;    // 0 = 1, or 2 where the node has k_many_ranks or more
  int group_size = 0;  // > 0: the lowest rank of each group of so many consecutive ranks (the 2012 scheme)
};

// Ranks of a node from which on it gets two I/O ranks by default.
inline constexpr int k_many_ranks = 8;

// Ascending ranks. `ranks_of` [nodes][ranks, ascending]. Spread evenly over the nodes and, on a node, over
// its ranks. Code::argument when more are asked for than there are ranks.
Result<std::vector<int>> choose_io_ranks(const std::vector<std::vector<int>>& ranks_of,
                                         const IoRankRequest& request);

// Of the node where it is largest, rounded up; a node without an I/O rank counts as one with one.
int most_ranks_per_io_rank(const std::vector<std::vector<int>>& ranks_of, const std::vector<int>& io_ranks);

}  // namespace scorpio::plan
