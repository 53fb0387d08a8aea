#include "plan/transfer_rounds.h"

#include <algorithm>
#include <utility>

namespace scorpio::plan {

TransferRounds::TransferRounds(std::vector<int> node_of_owner, int nodes, Limits limits)
    : node_of_owner_(std::move(node_of_owner)),
      limits_{std::max<size_t>(1, limits.of_node), std::max<size_t>(1, limits.of_owner)},
      of_node_(static_cast<size_t>(nodes)),
      of_owner_(node_of_owner_.size()) {}

void TransferRounds::add(const Activation& closed, uint64_t tag) {
  const int owner = closed.unit.owner;
  const auto to = static_cast<size_t>(owner);
  for (const int node : closed.nodes) {
    if (node == node_of_owner_[to]) continue;
    const auto from = static_cast<size_t>(node);
    if (of_node_[from] == limits_.of_node || of_owner_[to] == limits_.of_owner || open_.read != closed.read)
      end_round();
    open_.read = closed.read;
    open_.messages.push_back({closed.close, node, owner, tag});
    ++of_node_[from];
    ++of_owner_[to];
  }
}

void TransferRounds::reuse_before(uint64_t close) {
  if (!open_.messages.empty() && open_.first_close() < close) end_round();
}

void TransferRounds::end_round() {
  if (open_.messages.empty()) return;
  ended_.push_back(std::exchange(open_, {}));
  std::ranges::fill(of_node_, 0);
  std::ranges::fill(of_owner_, 0);
}

TransferRound TransferRounds::take() {
  TransferRound next = std::move(ended_.front());
  ended_.pop_front();
  return next;
}

}  // namespace scorpio::plan
