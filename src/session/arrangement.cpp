#include "session/arrangement.h"

#include <algorithm>

#include "plan/io_ranks.h"

namespace scorpio::session {

uint64_t staging_budget(const Options& options, bool messages) {
  constexpr uint64_t k_message_budget = 8u << 20;
  const uint64_t budget = options.bytes(Option::staging_bytes);
  return messages ? std::min(budget, k_message_budget) : budget;
}

Result<exchange::StagingSizes> staging_sizes(const Options& options, const comm::NodeMap& nodes,
                                             const std::vector<int>& io_ranks, uint64_t budget) {
  const uint64_t block = options.bytes(Option::block_bytes);
  const int files = static_cast<int>(options.integer(Option::staging_files));
  const exchange::NodeShape shape{nodes.nodes() > 1, plan::most_ranks_per_io_rank(nodes.placement, io_ranks),
                                  files == 1, options.boolean(Option::asynchronous) ? files : 0};
  return exchange::divide_budget(budget, block == 0 ? k_unknown_block : block, shape);
}

StagingUse staging_use(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                       const exchange::StagingSizes& sizes) {
  std::vector<uint64_t> here(static_cast<size_t>(nodes.nodes()));  // I/O ranks
  for (const int rank : io_ranks) ++here[static_cast<size_t>(nodes.node_of(rank))];
  StagingUse use;
  for (size_t node = 0; node < here.size(); ++node) {
    const exchange::StagingLayout layout(sizes, nodes.placement.ranks_on(static_cast<int>(node)),
                                         static_cast<int>(here[node]));
    use.of_nodes.push_back(layout.total_bytes());
    if (here[node] > 0)
      use.most_of_io_rank = std::max(use.most_of_io_rank, layout.total_bytes() / here[node]);
  }
  return use;
}

plan::DomainRule domain_rule(const Options& options, int nodes, size_t io_ranks, uint64_t unit_bytes,
                             uint64_t block_bytes) {
  plan::DomainRule rule;
  rule.unit_bytes = unit_bytes;
  rule.block_bytes = block_bytes;
  rule.io_ranks = static_cast<int>(io_ranks);
  rule.contiguous = options.choice(Option::domains) == "contiguous";
  // Neighbouring units, which become one write, are not to be apart in time.
  rule.ranges = options.boolean(Option::gather_writes) ? 1 : nodes;
  return rule;
}

}  // namespace scorpio::session
