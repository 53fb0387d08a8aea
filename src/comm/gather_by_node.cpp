// Gathers by node: the ranks of a node send their lists to its leader, the leaders exchange the lists of
// their nodes and pass them on to the ranks of their node.
#include <cstring>

#include "comm/communicator.h"
#include "comm/node_map.h"

namespace scorpio::comm {

namespace {

// The list of this node, on its leader only.
Result<std::vector<int64_t>> unite_on_leader(const NodeMap& nodes, std::span<const int64_t> own,
                                             const Group::Unite& unite) {
  std::vector<std::vector<int64_t>> parts(static_cast<size_t>(nodes.local_size()));
  parts.front().assign(own.begin(), own.end());
  SCORPIO_ASSIGN(const auto received, nodes.node.all_to_all(parts));
  if (nodes.my_local_rank != 0) return std::vector<int64_t>();
  std::vector<int64_t> of_ranks;
  for (const auto& part : received) of_ranks.insert(of_ranks.end(), part.begin(), part.end());
  return unite(of_ranks);
}

}  // namespace

// If the leaders cannot exchange their lists, an empty list tells it to the ranks of the node.
Result<std::vector<int64_t>> Communicator::gather_by_node(const NodeMap& nodes, std::span<const int64_t> own,
                                                          const Unite& unite) const {
  SCORPIO_TRY(parted());
  if (nodes.nodes() == size_) return all_gather_parts(unite(own));
  SCORPIO_ASSIGN(std::vector<int64_t> all, unite_on_leader(nodes, own, unite));
  Status status;
  if (nodes.my_local_rank == 0 && nodes.nodes() > 1) {
    Result<std::vector<int64_t>> gathered = nodes.leaders.all_gather_parts(all);
    status = gathered.status();
    all = gathered.ok() ? std::move(gathered).value() : std::vector<int64_t>();
  }
  int64_t words = static_cast<int64_t>(all.size());
  SCORPIO_TRY(nodes.node.broadcast(std::span(&words, 1), 0));
  if (words == 0) {
    return status.ok() ? failure(Code::mpi, "the first rank of this node could not gather from other nodes")
                       : status;
  }
  all.resize(static_cast<size_t>(words));
  SCORPIO_TRY(nodes.node.broadcast(std::span(all), 0));
  return all;
}

}  // namespace scorpio::comm
