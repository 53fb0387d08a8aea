#include "comm/node_map.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/affinity.h"

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

// The smallest rank of the node, real or simulated, of this rank; the same on all ranks of the node. `cpus`
// receives those of the ranks of the real node.
Result<int64_t> node_key(const Communicator& comm, int pretend, bool alone, std::vector<CpuSet>& cpus) {
  if (alone) return int64_t{comm.rank()};
  SCORPIO_ASSIGN(Communicator shared, comm.split_by_shared_memory());
  SCORPIO_ASSIGN(const std::vector<int64_t> cards, shared.all_gather(card_of(comm.rank(), own_cpus())));
  SCORPIO_TRY(shared.free());
  constexpr size_t k_words = std::tuple_size_v<Card>;
  for (size_t at = 0; at < cards.size(); at += k_words)
    cpus.push_back(cpus_of(std::span(cards).subspan(at, k_words)));
  const int64_t leader = cards.front();
  if (pretend <= 0) return leader;
  // The pair (real, simulated) is the key.
  return leader * pretend + simulated_node(comm.rank(), comm.size(), pretend);
}

}  // namespace

NodeMap node_map(std::span<const int64_t> keys, int rank) {
  NodeMap map;
  std::map<int64_t, int> index;
  for (const int64_t key : keys) {
    const int r = static_cast<int>(map.node_of_rank.size());
    const auto [place, fresh] = index.try_emplace(key, map.nodes());
    if (fresh) map.ranks_of.emplace_back();
    map.node_of_rank.push_back(place->second);
    map.ranks_of[static_cast<size_t>(place->second)].push_back(r);
  }
  map.my_node = map.node_of_rank[static_cast<size_t>(rank)];
  const std::vector<int>& mine = map.local_ranks();
  map.my_local_rank = static_cast<int>(std::find(mine.begin(), mine.end(), rank) - mine.begin());
  return map;
}

Status NodeMap::free() { return first_failure(node.free(), leaders.free()); }

Result<NodeMap> find_nodes(const Communicator& comm, int pretend, bool alone) {
  std::vector<CpuSet> cpus;
  SCORPIO_ASSIGN(const int64_t key, node_key(comm, pretend, alone, cpus));
  SCORPIO_ASSIGN(const std::vector<int64_t> keys, comm.all_gather({&key, 1}));
  NodeMap map = node_map(keys, comm.rank());
  map.cpus = std::move(cpus);
  SCORPIO_ASSIGN(map.node, comm.split(map.my_node, comm.rank()));
  if (map.nodes() > 1) {
    SCORPIO_ASSIGN(map.leaders, comm.split(map.my_local_rank == 0 ? 0 : 1, comm.rank()));
  }
  return map;
}

}  // namespace scorpio::comm
