#include "scale/plan_counts.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <stdexcept>
#include <vector>

#include "base/options.h"
#include "comm/node_map.h"
#include "decomp/local_part.h"
#include "exchange/copies/batch.h"
#include "exchange/copies/forecast.h"
#include "exchange/memory/staging.h"
#include "plan/io_ranks.h"
#include "plan/node_sets.h"
#include "transfer/slab_flow.h"

namespace scorpio::scale {

namespace {

constexpr uint64_t k_staging_bytes = 16u << 20, k_block_bytes = 1u << 20;  // the defaults
constexpr size_t k_element_bytes = 8;
constexpr int64_t k_scattered = 3072;

template <typename T>
T expected(Result<T> result) {
  if (!result.ok()) throw std::runtime_error(result.status().text());
  return std::move(result).value();
}

// Blocks of consecutive ranks, as MPI places them by default.
std::vector<int64_t> keys_of(int ranks, int per_node) {
  std::vector<int64_t> keys;
  for (int rank = 0; rank < ranks; ++rank) keys.push_back(rank / per_node);
  return keys;
}

decomp::LocalPart block_of(int rank, int ranks, int) {
  const auto [nz, ny, nx] = grid_of(ranks);
  const std::array<int64_t, 3> dims{nz * k_edge, ny * k_edge, nx * k_edge};
  const std::array<int64_t, 3> start{rank / (ny * nx) * k_edge, rank / nx % ny * k_edge, rank % nx * k_edge};
  const std::array<int64_t, 3> count{k_edge, k_edge, k_edge};
  return expected(decomp::block(dims, start, count));
}

decomp::LocalPart scattered_of(int rank, int ranks, int per_node) {
  const std::array<int64_t, 1> dims{k_scattered * ranks};
  const int64_t first = int64_t{rank / per_node} * per_node * k_scattered;
  std::vector<int64_t> index;
  for (int64_t i = 0; i < k_scattered; ++i) index.push_back(first + i * per_node + rank % per_node);
  return expected(decomp::map(dims, index));
}

size_t bytes_of(const std::vector<decomp::CoarseSet>& sets) {
  std::vector<int64_t> words;
  for (const decomp::CoarseSet& set : sets) plan::append_words(words, set);
  return words.size() * sizeof(int64_t);
}

// As gather_node_sets() makes them. `most_received`: by the leader of a node, from its ranks.
std::vector<decomp::CoarseSet> sets_of(const std::vector<decomp::LocalPart>& parts,
                                       const comm::NodeMap& nodes, size_t& most_received) {
  const size_t most = plan::most_ranges_of_node(static_cast<size_t>(nodes.nodes()));
  std::vector<decomp::CoarseSet> sets;
  for (int node = 0; node < nodes.nodes(); ++node) {
    std::vector<decomp::CoarseSet> of_ranks;
    for (const int rank : nodes.ranks_of(node))
      of_ranks.push_back(decomp::coarse_set(parts[static_cast<size_t>(rank)].runs, most));
    most_received = std::max(most_received, bytes_of(of_ranks));
    sets.push_back(decomp::united(of_ranks, most));
  }
  return sets;
}

// The messages of every node and I/O rank, as the exchange sends them: one for each unit and node that is not
// the I/O rank's.
void count_messages(const exchange::Flow& flow, const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                    const std::vector<decomp::LocalPart>& parts, PlanCounts& counts) {
  std::vector<uint64_t> sent(static_cast<size_t>(nodes.nodes())), received(io_ranks.size());
  std::vector<char> opened(io_ranks.size(), 0);
  opened.front() = 1;  // the metadata rank
  std::set<std::pair<int, size_t>> pairs;
  plan::UnitWalk walk(flow.rule, flow.variable, flow.touched);
  for (plan::Unit unit; walk.next(unit);) {
    const auto owner = static_cast<size_t>(unit.owner);
    const int home = nodes.node_of(io_ranks[owner]);
    opened[owner] = 1;
    const exchange::Cut cut = exchange::Cut::of(flow, unit);
    for (const int node : cut.nodes(flow)) {
      if (node == home) continue;
      ++sent[static_cast<size_t>(node)];
      ++received[owner];
      const decomp::Interval span{
          static_cast<int64_t>((cut.hull.begin - flow.variable.begin) / k_element_bytes),
          static_cast<int64_t>((cut.hull.end - flow.variable.begin) / k_element_bytes)};
      const bool needed = std::ranges::any_of(nodes.ranks_of(node), [&](int rank) {
        return parts[static_cast<size_t>(rank)].runs.any(span.begin, span.end);
      });
      if (!needed) continue;
      ++counts.needed;
      pairs.emplace(node, owner);
    }
  }
  counts.pairs = pairs.size();
  counts.opens = static_cast<uint64_t>(std::ranges::count(opened, 1));
  counts.most_sent = *std::ranges::max_element(sent);
  counts.most_received = *std::ranges::max_element(received);
}

PlanCounts counts_of(int ranks, int per_node, uint64_t begin, decomp::LocalPart (*part_of)(int, int, int)) {
  const std::vector<int64_t> keys = keys_of(ranks, per_node);
  comm::NodeMap nodes = comm::node_map(keys, 0);
  const std::vector<int> io_ranks = expected(plan::choose_io_ranks(nodes.placement, {}));
  const exchange::NodeShape shape{nodes.nodes() > 1, plan::most_ranks_per_io_rank(nodes.placement, io_ranks),
                                  false, 0};
  const exchange::StagingSizes sizes =
      expected(exchange::divide_budget(k_staging_bytes, k_block_bytes, shape));

  std::vector<decomp::LocalPart> parts;
  for (int rank = 0; rank < ranks; ++rank) parts.push_back(part_of(rank, ranks, per_node));
  size_t most_received = 0;
  const std::vector<decomp::CoarseSet> sets = sets_of(parts, nodes, most_received);
  const plan::NodeSets node_sets(sets);
  const int64_t total =
      std::accumulate(parts[0].dims.begin(), parts[0].dims.end(), int64_t{1}, std::multiplies<>());
  const std::vector<decomp::Interval> everything{{0, total}};
  const uint64_t bytes = static_cast<uint64_t>(total) * k_element_bytes;
  plan::DomainRule rule;
  rule.unit_bytes = sizes.unit_bytes;
  rule.block_bytes = k_block_bytes;
  rule.io_ranks = static_cast<int>(io_ranks.size());
  rule.ranges = nodes.nodes();

  PlanCounts counts;
  counts.ranks = ranks;
  counts.io_ranks = rule.io_ranks;
  counts.staging = exchange::Staging::bytes(nodes, io_ranks, sizes);
  counts.placement =
      sizeof(comm::NodePlacement) + nodes.placement.table_bytes() / static_cast<size_t>(per_node);
  // Of the I/O system, of its staging memory, of the schedule of a channel, and of the ranks elsewhere that
  // move data (exchange/link/stall_watch.h).
  counts.io_rank_lists = (4 * io_ranks.size() + static_cast<size_t>(nodes.nodes())) * sizeof(int);
  counts.node_sets = bytes_of(sets);
  counts.survey = counts.node_sets + most_received;
  // The bytes that cross are those of all ranks; beyond 32 nodes, of every rank of 32 nodes that are
  // spread evenly over the job.
  const int sampled = std::min(nodes.nodes(), 32);
  for (int sample = 0; sample < sampled; ++sample) {
    nodes.my_node = sample * nodes.nodes() / sampled;
    for (const int rank : nodes.local_ranks()) {
      exchange::Part part;
      part.begin = begin;
      part.element_bytes = k_element_bytes;
      part.runs = &parts[static_cast<size_t>(rank)].runs;
      const transfer::SlabFlow flow({{begin, k_element_bytes, {begin, begin + bytes}}},
                                    {everything, true, node_sets}, rule, {part});
      const bool first = counts.units == 0;
      if (first) count_messages(flow.flow(), nodes, io_ranks, parts, counts);
      const exchange::Forecast forecast = exchange::Forecast::of(flow.flow(), nodes, io_ranks);
      counts.units = forecast.units;
      counts.messages = forecast.messages;
      counts.bytes = forecast.bytes;
      counts.crossing += forecast.crossing;
    }
  }
  counts.crossing = counts.crossing * static_cast<uint64_t>(nodes.nodes()) / static_cast<uint64_t>(sampled);
  return counts;
}

}  // namespace

// As MPI_Dims_create makes it of a power of two.
std::array<int64_t, 3> grid_of(int ranks) {
  std::array<int64_t, 3> grid{1, 1, 1};
  for (size_t d = 0; ranks > 1; ranks /= 2, d = (d + 1) % 3) grid[d] *= 2;
  return grid;
}

PlanCounts counts_of_blocks(int ranks, int ranks_per_node, uint64_t begin) {
  return counts_of(ranks, ranks_per_node, begin, block_of);
}
PlanCounts counts_of_scattered(int ranks, int ranks_per_node, uint64_t begin) {
  return counts_of(ranks, ranks_per_node, begin, scattered_of);
}

}  // namespace scorpio::scale
