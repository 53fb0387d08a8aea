// Which ranks do I/O: a pure function of the node map and the options, the same on every rank.
#pragma once

#include <vector>

#include "base/result.h"

namespace scorpio::plan {

struct IoRankRequest {
  int count = 0;       // in all; 0 = by node
  int per_node = 0;    // 0 = 1, or 2 where the node has k_many_ranks or more
  int group_size = 0;  // > 0: the lowest rank of each group of so many consecutive ranks (the 2012 scheme)
  // > 0: I/O rank i is rank (base + i * stride) modulo the number of ranks (the PIO scheme); count 0: as many
  // as there are up to the last rank.
  int stride = 0;
  int base = 0;
  std::vector<int> list = {};  // these, in this order
};

// Ranks of a node from which on it gets two I/O ranks by default.
inline constexpr int k_many_ranks = 8;

// `ranks_of` [nodes][ranks, ascending]. Of list, group_size and stride the first that is given; else spread
// evenly over the nodes and, on a node, over its ranks. Ascending, but for lists and strides. Code::argument
// when more are asked for than there are ranks, or ranks that are not there.
Result<std::vector<int>> choose_io_ranks(const std::vector<std::vector<int>>& ranks_of,
                                         const IoRankRequest& request);

// The number of different ranks that a stride reaches before it returns to the first one.
int ranks_of_stride(int ranks, int stride);

// Of the node where it is largest, rounded up; a node without an I/O rank counts as one with one.
int most_ranks_per_io_rank(const std::vector<std::vector<int>>& ranks_of, const std::vector<int>& io_ranks);

}  // namespace scorpio::plan
