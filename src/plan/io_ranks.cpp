#include "plan/io_ranks.h"

#include <algorithm>

namespace scorpio::plan {

namespace {

std::vector<int> group_roots(int ranks, int group_size) {
  std::vector<int> roots;
  for (int r = 0; r < ranks; r += group_size) roots.push_back(r);
  return roots;
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

// `count` in all: node i of n gets count/n, the first count mod n one more; what a small node cannot take
// goes on to nodes that can.
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
  if (request.count > ranks) {
    return failure(Code::argument,
                   "option io_ranks = {}, but the communicator has only {} ranks; ask for at most {}",
                   request.count, ranks, ranks);
  }
  if (request.group_size > 0) return group_roots(ranks, request.group_size);
  std::vector<int> chosen;
  const std::vector<int> share = shares(ranks_of, request.count);
  for (size_t node = 0; node < ranks_of.size(); ++node) {
    const int n = request.count > 0 ? share[node] : automatic(request.per_node, ranks_of[node].size());
    pick_evenly(ranks_of[node], n, chosen);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

int most_ranks_per_io_rank(const std::vector<std::vector<int>>& ranks_of, const std::vector<int>& io_ranks) {
  int most = 1;
  for (const std::vector<int>& node : ranks_of) {
    const auto here = std::count_if(io_ranks.begin(), io_ranks.end(), [&node](int rank) {
      return std::binary_search(node.begin(), node.end(), rank);
    });
    const int owners = std::max(static_cast<int>(here), 1);
    most = std::max(most, (static_cast<int>(node.size()) + owners - 1) / owners);
  }
  return most;
}

}  // namespace scorpio::plan
