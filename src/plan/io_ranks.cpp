#include "plan/io_ranks.h"

#include <algorithm>
#include <numeric>

namespace scorpio::plan {

using comm::NodePlacement;

namespace {

std::vector<int> group_roots(int ranks, int group_size) {
  std::vector<int> roots;
  for (int64_t r = 0; r < ranks; r += group_size) roots.push_back(static_cast<int>(r));
  return roots;
}

Result<std::vector<int>> listed(int ranks, const std::vector<int>& list) {
  const int highest = *std::max_element(list.begin(), list.end());
  if (highest < ranks) return list;
  return failure(
      Code::argument,
      "option io_rank_list names rank {}, but the communicator has ranks 0 to {} only; leave it out", highest,
      ranks - 1);
}

Result<std::vector<int>> strided(int ranks, const IoRankRequest& request) {
  if (request.base >= ranks) {
    return failure(Code::argument,
                   "option io_base = {}, but the communicator has ranks 0 to {} only; choose one of these",
                   request.base, ranks - 1);
  }
  const int upwards = (ranks - 1 - request.base) / request.stride + 1;
  const int count = request.count > 0 ? request.count : upwards;
  const int different = ranks_of_stride(ranks, request.stride);
  if (count > different) {
    return failure(Code::argument,
                   "options io_ranks = {} and io_stride = {}: from rank {} on, modulo the {} ranks of the "
                   "communicator, that stride leads to {} different ranks only; ask for fewer, or give "
                   "another io_stride",
                   count, request.stride, request.base, ranks, different);
  }
  std::vector<int> chosen;
  for (int64_t i = 0; i < count; ++i) {
    chosen.push_back(static_cast<int>((request.base + i * request.stride) % ranks));
  }
  return chosen;
}

void pick_evenly(const NodePlacement& nodes, int node, int n, std::vector<int>& out) {
  const int available = nodes.ranks_on(node), taken = std::min(n, available);
  for (int64_t i = 0; i < taken; ++i)
    out.push_back(nodes.rank_at(node, static_cast<int>(i * available / taken)));
}

int automatic(int requested, int ranks_on_node) {
  if (requested > 0) return requested;
  return ranks_on_node >= k_many_ranks ? 2 : 1;
}

// Divides `count` I/O ranks among the nodes in rounds, in which each node that has more ranks gets one. In
// the last round there are too few for all: they go to nodes that are as far from each other as possible. The
// ranks of neighbouring nodes mostly hold neighbouring parts of arrays, so that an I/O rank is near more of
// the ranks whose data it writes.
std::vector<int> shares(const NodePlacement& nodes, int count) {
  std::vector<int> share(static_cast<size_t>(nodes.nodes()), 0);
  std::vector<size_t> takers(share.size());
  std::iota(takers.begin(), takers.end(), size_t{0});
  for (size_t left = static_cast<size_t>(count); left > 0;) {
    std::erase_if(takers, [&](size_t node) { return share[node] == nodes.ranks_on(static_cast<int>(node)); });
    const size_t given = std::min(left, takers.size());
    for (size_t i = 0; i < given; ++i) ++share[takers[i * takers.size() / given]];
    left -= given;
  }
  return share;
}

}  // namespace

Result<std::vector<int>> choose_io_ranks(const NodePlacement& nodes, const IoRankRequest& request) {
  const int ranks = nodes.ranks();
  if (!request.list.empty()) return listed(ranks, request.list);
  if (request.count > ranks) {
    return failure(Code::argument,
                   "option io_ranks = {}, but the communicator has only {} ranks; ask for at most {}",
                   request.count, ranks, ranks);
  }
  if (request.group_size > 0) return group_roots(ranks, request.group_size);
  if (request.stride > 0) return strided(ranks, request);
  std::vector<int> chosen;
  const std::vector<int> share = shares(nodes, request.count);
  for (int node = 0; node < nodes.nodes(); ++node) {
    const int n = request.count > 0 ? share[static_cast<size_t>(node)]
                                    : automatic(request.per_node, nodes.ranks_on(node));
    pick_evenly(nodes, node, n, chosen);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

int ranks_of_stride(int ranks, int stride) { return ranks / std::gcd(ranks, stride); }

std::vector<int> io_ranks_on_nodes(const NodePlacement& nodes, const std::vector<int>& io_ranks) {
  std::vector<int> here(static_cast<size_t>(nodes.nodes()), 0);
  for (const int rank : io_ranks) ++here[static_cast<size_t>(nodes.node_of(rank))];
  return here;
}

int most_ranks_per_io_rank(const NodePlacement& nodes, const std::vector<int>& io_ranks) {
  const std::vector<int> here = io_ranks_on_nodes(nodes, io_ranks);
  int most = 1;
  for (int node = 0; node < nodes.nodes(); ++node) {
    const int among = std::max(here[static_cast<size_t>(node)], 1);
    most = std::max(most, (nodes.ranks_on(node) + among - 1) / among);
  }
  return most;
}

}  // namespace scorpio::plan
