#include "exchange/rehearsal.h"

#include <algorithm>
#include <numeric>

#include "exchange/between_nodes/leader_transfer.h"
#include "exchange/copies/batch.h"
#include "exchange/copies/put_walk.h"
#include "exchange/memory/leases.h"

namespace scorpio::exchange {

using plan::Activation;

namespace {

// Calls visit(ByteRange) for the parts of `charged` that are in `held`, adjacent ones joined.
template <typename Visit>
void for_each_held(const std::vector<ByteRange>& charged, const std::vector<ByteRange>& held, Visit&& visit) {
  ByteRange joined{0, 0};
  for (const ByteRange& range : charged) {
    auto at = std::ranges::partition_point(held, [&](const ByteRange& h) { return h.end <= range.begin; });
    for (; at != held.end() && at->begin < range.end; ++at) {
      const ByteRange both{std::max(at->begin, range.begin), std::min(at->end, range.end)};
      if (both.begin == joined.end && joined.size() > 0) {
        joined.end = both.end;
        continue;
      }
      if (joined.size() > 0) visit(joined);
      joined = both;
    }
  }
  if (joined.size() > 0) visit(joined);
}

constexpr uint64_t k_operations_of_a_round = 2;  // for the lengths of the messages, and for the messages

plan::TransferRounds rounds_of(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                               const Lease& lease) {
  std::vector<int> node_of_owner;
  for (const int rank : io_ranks) node_of_owner.push_back(nodes.node_of(rank));
  return {std::move(node_of_owner), nodes.nodes(), {LeaderTransfer::k_most_under_way, lease.receives.size()}};
}

}  // namespace

Rehearsal::Rehearsal(const comm::NodeMap& nodes, const std::vector<int>& io_ranks, const Lease& lease)
    : nodes_(nodes),
      io_ranks_(io_ranks),
      schedule_(slot_limits(nodes, io_ranks, lease)),
      rounds_(rounds_of(nodes, io_ranks, lease)) {
  counts_.group = TransferGroup::of(nodes, io_ranks);
  counts_.receive_buffers = lease.receives.size();
  counts_.bytes_of.resize(io_ranks.size());
  counts_.writes_of.resize(io_ranks.size());
  counts_.unaligned_of.resize(io_ranks.size());
  counts_.received_of.resize(io_ranks.size());
  counts_.sent_of.resize(static_cast<size_t>(nodes.nodes()));
  counts_.received_at.resize(static_cast<size_t>(nodes.nodes()));
  counts_.sent_bytes_of.resize(static_cast<size_t>(nodes.nodes()));
  counts_.received_bytes_of.resize(static_cast<size_t>(nodes.nodes()));
}

int Rehearsal::home_of(int owner) const { return nodes_.node_of(io_ranks_[static_cast<size_t>(owner)]); }

void Rehearsal::put(const Flow& flow, std::span<const ByteRange> held) {
  constexpr uint64_t k_file = 1;
  rule_ = flow.rule;
  owners_.clear();
  if (!flow.exact && held.empty()) held = flow.touched;
  if (!flow.exact) held_.insert(held_.end(), held.begin(), held.end());
  const auto on_close = [this](const Activation& activation) { closed(activation); };
  PutWalk walk(flow, k_file, schedule_);
  Cut cut;
  while (walk.next(cut)) {
    owners_.emplace_back(cut.unit.number, cut.unit.owner);
    const std::vector<int> contributing = nodes_.nodes() > 1 ? cut.nodes(flow) : std::vector<int>();
    Activation& activation = walk.charge(cut, contributing, on_close);
    rounds_.reuse_before(schedule_.reused());
    schedule_.close_if_full(activation, on_close);
  }
  std::ranges::sort(owners_);
}

uint64_t Rehearsal::crossing(const Part& part, int node) const {
  const decomp::Interval all = part.runs->hull();
  uint64_t bytes = 0;
  auto owner = owners_.begin();
  part.runs->for_each_span(all.begin, all.end, [&](const decomp::Interval& span) {
    const uint64_t end = part.begin + static_cast<uint64_t>(span.end) * part.element_bytes;
    uint64_t at = part.begin + static_cast<uint64_t>(span.begin) * part.element_bytes;
    while (at < end) {
      const uint64_t number = rule_.number_at(at), next = std::min(end, rule_.begin_of(number + 1));
      if (owner->first != number) owner = std::lower_bound(owner, owners_.end(), std::pair(number, -1));
      if (home_of(owner->second) != node) bytes += next - at;
      at = next;
    }
  });
  return bytes;
}

void Rehearsal::end_rounds() {
  for (; rounds_.any_ended(); (void)rounds_.take()) ++counts_.rounds;
}

void Rehearsal::closed(const Activation& activation) {
  rounds_.add(activation);
  end_rounds();
  const int owner = activation.unit.owner, home = home_of(owner);
  const uint64_t before = counts_.bytes;
  ++counts_.slots;
  if (activation.exact) {
    for (const ByteRange& range : activation.certain) write(range, owner);
  } else {
    for_each_held(activation.charged, held_, [&](const ByteRange& range) { write(range, owner); });
  }
  const uint64_t part = activation.nodes.empty() ? 0 : (counts_.bytes - before) / activation.nodes.size();
  for (const int node : activation.nodes) {
    if (node == home) continue;
    ++counts_.messages;
    ++counts_.sent_of[static_cast<size_t>(node)];
    ++counts_.received_of[static_cast<size_t>(owner)];
    ++counts_.received_at[static_cast<size_t>(home)];
    counts_.sent_bytes_of[static_cast<size_t>(node)] += part;
    counts_.received_bytes_of[static_cast<size_t>(home)] += part;
  }
}

void Rehearsal::write(ByteRange range, int owner) {
  const uint64_t block = rule_.block_bytes;
  const bool begins = range.begin % block == 0, ends = range.end % block == 0;
  ++counts_.writes;
  counts_.aligned_writes += begins && ends ? 1 : 0;
  counts_.unaligned_of[static_cast<size_t>(owner)] += begins && ends ? 0 : 1;
  counts_.bytes += range.size();
  counts_.bytes_of[static_cast<size_t>(owner)] += range.size();
  ++counts_.writes_of[static_cast<size_t>(owner)];
  if (!begins) touch_block(range.begin / block, owner);
  if (!ends) touch_block(range.end / block, owner);
}

void Rehearsal::touch_block(uint64_t block, int owner) {
  const auto [at, fresh] = block_owners_.try_emplace(block, owner);
  if (!fresh && at->second != owner) shared_.insert(block);
}

uint64_t PutCounts::bytes_between_nodes() const {
  return std::accumulate(sent_bytes_of.begin(), sent_bytes_of.end(), uint64_t{0});
}

uint64_t PutCounts::opens() const {
  return static_cast<uint64_t>(std::ranges::count_if(writes_of, [](uint64_t of_one) { return of_one > 0; }));
}

// The phases of a put overlap in part; the sum of the slowest of each is what they take at most.
uint64_t PutCounts::cost_ns(const CostModel& model, Transfer way) const {
  const auto of_bytes = [](uint64_t moved, uint64_t ns_per_mib) {
    constexpr uint64_t k_mib = uint64_t{1} << 20;
    return moved / k_mib * ns_per_mib + moved % k_mib * ns_per_mib / k_mib;
  };
  const bool single = way == Transfer::messages;
  uint64_t network = 0, storage = 0;
  for (size_t node = 0; node < sent_of.size(); ++node) {
    const uint64_t sends = (single ? sent_of[node] : 0) * model.message_ns +
                           of_bytes(sent_bytes_of[node], model.network_ns_per_mib);
    const uint64_t receives = (single ? received_at[node] : 0) * model.message_ns +
                              of_bytes(received_bytes_of[node], model.network_ns_per_mib);
    network = std::max({network, sends, receives});
  }
  if (!single) network += k_operations_of_a_round * rounds * group.partners(way) * model.message_ns;
  for (size_t owner = 0; owner < writes_of.size(); ++owner) {
    storage = std::max(storage, writes_of[owner] * model.write_ns + unaligned_of[owner] * model.unaligned_ns +
                                    of_bytes(bytes_of[owner], model.storage_ns_per_mib));
  }
  return network + storage + opens() * model.open_ns + shared_blocks * model.shared_block_ns;
}

uint64_t PutCounts::rounds_by(Transfer way) const {
  if (way != Transfer::messages) return rounds;
  const auto parts = [](const std::vector<uint64_t>& of, uint64_t at_once) {
    return of.empty() ? 0 : (*std::ranges::max_element(of) + at_once - 1) / at_once;
  };
  return std::max(parts(sent_of, LeaderTransfer::k_most_under_way),
                  parts(received_of, std::max<uint64_t>(receive_buffers, 1)));
}

uint64_t PutCounts::operations_by(Transfer way) const {
  return way == Transfer::messages ? 0 : k_operations_of_a_round * rounds * group.ranks;
}

PutCounts Rehearsal::finish() {
  schedule_.close_all([this](const Activation& activation) { closed(activation); });
  rounds_.end_round();
  end_rounds();
  counts_.shared_blocks = shared_.size();
  return counts_;
}

}  // namespace scorpio::exchange
