#include "plan/io_ranks.h"

#include <algorithm>
#include <numeric>

namespace scorpio::plan {

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

void pick_evenly(const std::vector<int>& ranks, int n, std::vector<int>& out) {
  const int available = static_cast<int>(ranks.size());
  const int taken = std::min(n, available);
  for (int i = 0; i < taken; ++i)
    out.push_back(ranks[static_cast<size_t>(i) * ranks.size() / static_cast<size_t>(taken)]);
}

int automatic(int requested, size_t ranks_on_node) {
  if (requested > 0) return requested;
  return ranks_on_node >= static_cast<size_t>(k_many_ranks) ? 2 : 1;
}

// Divides `count` I/O ranks among n nodes: each gets count/n, the first count mod n one more. Numbers that
// exceed a small node are moved to nodes that have more ranks.
std::vector<int> shares(const std::vector<std::vector<int>>& ranks_of, int count) {
  std::vector<int> share(ranks_of.size(), 0);
  for (int left = count; left > 0;) {
    for (size_t node = 0; node < ranks_of.size() && left > 0; ++node) {
      if (share[node] < static_cast<int>(ranks_of[node].size())) {
        ++share[node];
        --left;
      }
    }
  }
  return share;
}

}  // namespace

Result<std::vector<int>> choose_io_ranks(const std::vector<std::vector<int>>& ranks_of,
                                         const IoRankRequest& request) {
  int ranks = 0;
  for (const auto& node : ranks_of) ranks += static_cast<int>(node.size());
  if (!request.list.empty()) return listed(ranks, request.list);
  if (request.count > ranks) {
    return failure(Code::argument,
                   "option io_ranks = {}, but the communicator has only {} ranks; ask for at most {}",
                   request.count, ranks, ranks);
  }
  if (request.group_size > 0) return group_roots(ranks, request.group_size);
  if (request.stride > 0) return strided(ranks, request);
  std::vector<int> chosen;
  const std::vector<int> share = shares(ranks_of, request.count);
  for (size_t node = 0; node < ranks_of.size(); ++node) {
    const int n = request.count > 0 ? share[node] : automatic(request.per_node, ranks_of[node].size());
    pick_evenly(ranks_of[node], n, chosen);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

int ranks_of_stride(int ranks, int stride) { return ranks / std::gcd(ranks, stride); }

int most_ranks_per_io_rank(const std::vector<std::vector<int>>& ranks_of, const std::vector<int>& io_ranks) {
  int most = 1;
  for (const std::vector<int>& node : ranks_of) {
    const auto here = std::count_if(io_ranks.begin(), io_ranks.end(), [&node](int rank) {
      return std::binary_search(node.begin(), node.end(), rank);
    });
    const int among = std::max(static_cast<int>(here), 1);
    most = std::max(most, (static_cast<int>(node.size()) + among - 1) / among);
  }
  return most;
}

}  // namespace scorpio::plan
