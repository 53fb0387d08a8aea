#include "comm/node_map.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/affinity.h"
#include "comm/agree.h"
#include "comm/shared_segment.h"

namespace scorpio::comm {

namespace {

// What each rank tells the others of its real node: its number, and the CPUs on which it may run.
constexpr size_t k_bits = 64;
using Card = std::array<int64_t, 1 + k_most_cpus / k_bits>;

Card card_of(int rank, const CpuSet& cpus) {
  Card card{rank};
  for (size_t cpu = 0; cpu < k_most_cpus; ++cpu) {
    if (cpus[cpu]) card[1 + cpu / k_bits] |= static_cast<int64_t>(uint64_t{1} << cpu % k_bits);
  }
  return card;
}

CpuSet cpus_of(std::span<const int64_t> card) {
  CpuSet cpus;
  for (size_t cpu = 0; cpu < k_most_cpus; ++cpu)
    cpus[cpu] = (static_cast<uint64_t>(card[1 + cpu / k_bits]) >> cpu % k_bits & 1) != 0;
  return cpus;
}

// The ranks of the node, real or simulated, of this rank, in rank order. `cpus` receives those of the ranks
// of the real node.
Result<Communicator> ranks_of_node(const Communicator& comm, int pretend, std::vector<CpuSet>& cpus) {
  SCORPIO_ASSIGN(Communicator shared, comm.split_by_shared_memory());
  SCORPIO_ASSIGN(const std::vector<int64_t> cards, shared.all_gather(card_of(comm.rank(), own_cpus())));
  constexpr size_t k_words = std::tuple_size_v<Card>;
  for (size_t at = 0; at < cards.size(); at += k_words)
    cpus.push_back(cpus_of(std::span(cards).subspan(at, k_words)));
  if (pretend <= 0) return shared;
  const int64_t simulated = simulated_node(comm.rank(), comm.size(), pretend);
  SCORPIO_ASSIGN(Communicator part, shared.split(static_cast<int>(simulated), comm.rank()));
  SCORPIO_TRY(shared.free());
  return part;
}

// What the leader of a node tells the ranks of its node.
struct Found {
  int64_t nodes = 0, my_node = 0;
  int64_t width = 0, of_first = 0, alike = 0, other = 0;
  int64_t regular = 0;  // whether a placement of this shape is that of all nodes

  NodePlacement::Shape shape(int ranks) const {
    return {ranks,
            static_cast<int>(nodes),
            static_cast<int>(width),
            static_cast<int>(of_first),
            static_cast<int>(alike),
            static_cast<int>(other)};
  }
};

// `ranks`: those of this node, ascending.
int consecutive(std::span<const int64_t> ranks) {
  size_t width = 1;
  while (width < ranks.size() && ranks[width] == ranks[width - 1] + 1) ++width;
  return static_cast<int>(width);
}

// Collective over the leaders of several nodes.
Status agree_on_shape(const Communicator& leaders, int size, std::span<const int64_t> ranks, Found& found) {
  found.nodes = leaders.size();
  found.my_node = leaders.rank();
  found.width = consecutive(ranks);
  found.of_first = static_cast<int64_t>(ranks.size());
  std::array<int64_t, 2> first{found.width, found.of_first};
  SCORPIO_TRY(leaders.broadcast(first, 0));
  found.width = first[0];
  found.of_first = first[1];
  const auto here = static_cast<int64_t>(ranks.size());
  const bool alike = here == found.of_first;
  std::array<uint64_t, 2> sizes{alike ? 0 : static_cast<uint64_t>(here), alike ? 1u : 0u};
  SCORPIO_TRY(leaders.all_max(sizes, 1));
  found.other = static_cast<int64_t>(sizes[0]);
  found.alike = static_cast<int64_t>(sizes[1]);
  const NodePlacement regular = NodePlacement::without_table(found.shape(size));
  std::array<uint64_t, 1> differs{regular.fits(leaders.rank(), ranks) ? 0u : 1u};
  SCORPIO_TRY(leaders.all_max(differs));
  found.regular = differs[0] == 0 ? 1 : 0;
  return {};
}

// The table, on the leader of a node. Collective over the leaders.
Status gather_table(const Communicator& leaders, int size, std::span<const int64_t> ranks,
                    std::span<int> table) {
  SCORPIO_ASSIGN(const std::vector<int64_t> sizes,
                 leaders.all_gather(std::array{static_cast<int64_t>(ranks.size())}));
  SCORPIO_ASSIGN(const std::vector<int64_t> of_nodes, leaders.all_gather_parts(ranks));
  std::vector<int> node_of_rank(static_cast<size_t>(size));
  auto next = of_nodes.begin();
  for (size_t node = 0; node < sizes.size(); ++node) {
    for (int64_t i = 0; i < sizes[node]; ++i)
      node_of_rank[static_cast<size_t>(*next++)] = static_cast<int>(node);
  }
  NodePlacement::fill_table(node_of_rank, leaders.size(), table);
  return {};
}

// In memory that the ranks of the node share. Collective.
Result<NodePlacement> shared_table(const NodeMap& map, int size, std::span<const int64_t> ranks,
                                   const Found& found) {
  const int nodes = static_cast<int>(found.nodes);
  const size_t length = NodePlacement::table_size(size, nodes);
  std::vector<int> own(map.node.rank() == 0 ? length : 0);
  const Status gathered = map.node.rank() == 0 ? gather_table(map.leaders, size, ranks, own) : Status();
  SCORPIO_TRY(agree(map.node, gathered));
  Result<SharedSegment> segment = SharedSegment::create(map.node, length * sizeof(int));
  if (!segment.ok()) {
    // The staging memory needs more of it, and says what can be done.
    own.resize(length);
    SCORPIO_TRY(map.node.broadcast(std::as_writable_bytes(std::span(own)), 0));
    const auto table = std::make_shared<const std::vector<int>>(std::move(own));
    return NodePlacement::by_table(size, nodes, *table, table);
  }
  const auto memory = std::make_shared<const SharedSegment>(std::move(segment).value());
  const std::span<int> table(reinterpret_cast<int*>(memory->data()), length);
  std::ranges::copy(own, table.begin());
  SCORPIO_TRY(map.node.barrier());
  return NodePlacement::by_table(size, nodes, table, memory);
}

// Collective; `map` has the communicators.
Status find_placement(const Communicator& comm, NodeMap& map) {
  SCORPIO_ASSIGN(const std::vector<int64_t> ranks, map.node.all_gather(std::array{int64_t{comm.rank()}}));
  Found found;
  Status agreed;
  if (map.my_local_rank == 0) agreed = agree_on_shape(map.leaders, comm.size(), ranks, found);
  SCORPIO_TRY(agree(map.node, agreed));
  std::array<int64_t, 7> words{found.nodes, found.my_node, found.width,  found.of_first,
                               found.alike, found.other,   found.regular};
  SCORPIO_TRY(map.node.broadcast(words, 0));
  found = {words[0], words[1], words[2], words[3], words[4], words[5], words[6]};
  map.my_node = static_cast<int>(found.my_node);
  if (found.regular != 0) {
    map.placement = NodePlacement::without_table(found.shape(comm.size()));
    return {};
  }
  SCORPIO_ASSIGN(map.placement, shared_table(map, comm.size(), ranks, found));
  return {};
}

}  // namespace

NodeMap node_map(std::span<const int64_t> keys, int rank) {
  NodeMap map;
  map.placement = NodePlacement::of(keys);
  map.my_node = map.node_of(rank);
  while (map.local_rank(map.my_local_rank) != rank) ++map.my_local_rank;
  return map;
}

Status NodeMap::free() { return first_failure(node.free(), leaders.free()); }

Result<NodeMap> find_nodes(const Communicator& comm, int pretend, bool alone) {
  NodeMap map;
  SCORPIO_ASSIGN(map.node, alone ? comm.alone() : ranks_of_node(comm, pretend, map.cpus));
  map.my_local_rank = map.node.rank();
  std::array<uint64_t, 1> nodes{map.my_local_rank == 0 ? 1u : 0u};
  SCORPIO_TRY(comm.all_max(nodes, 1));
  if (nodes[0] > 1) {
    SCORPIO_ASSIGN(map.leaders, comm.split(map.my_local_rank == 0 ? 0 : 1, comm.rank()));
  }
  if (nodes[0] == static_cast<uint64_t>(comm.size())) {
    map.placement = NodePlacement::each_alone(comm.size());
    map.my_node = comm.rank();
    return map;
  }
  if (nodes[0] == 1) {
    map.placement = NodePlacement::without_table({comm.size(), 1, comm.size(), comm.size(), 1, 0});
    return map;
  }
  SCORPIO_TRY(find_placement(comm, map));
  return map;
}

}  // namespace scorpio::comm
