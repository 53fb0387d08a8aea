#include "comm/node_placement.h"

#include <algorithm>
#include <map>
#include <utility>

namespace scorpio::comm {

namespace {

NodePlacement::Shape shape_of(const NodePlacement& placement) {
  NodePlacement::Shape shape{placement.ranks(), placement.nodes()};
  const std::vector<int> first = placement.ranks_of(0);
  shape.width = 1;
  while (shape.width < static_cast<int>(first.size()) &&
         first[static_cast<size_t>(shape.width)] == shape.width)
    ++shape.width;
  shape.of_first = static_cast<int>(first.size());
  for (int node = 0; node < placement.nodes(); ++node) {
    const int here = placement.ranks_on(node);
    if (here == shape.of_first) {
      ++shape.alike;
    } else {
      shape.other = std::max(shape.other, here);
    }
  }
  return shape;
}

}  // namespace

NodePlacement NodePlacement::of(std::span<const int64_t> keys) {
  const int ranks = static_cast<int>(keys.size());
  std::vector<int> node_of_rank;
  std::map<int64_t, int> index;
  for (const int64_t key : keys)
    node_of_rank.push_back(index.try_emplace(key, static_cast<int>(index.size())).first->second);
  const int nodes = static_cast<int>(index.size());
  const auto table = std::make_shared<std::vector<int>>(table_size(ranks, nodes));
  fill_table(node_of_rank, nodes, *table);
  NodePlacement placement = by_table(ranks, nodes, *table, table);
  if (ranks == 0) return {};
  NodePlacement regular = without_table(shape_of(placement));
  for (int node = 0; node < nodes; ++node) {
    const std::vector<int> here = placement.ranks_of(node);
    if (!regular.fits(node, std::vector<int64_t>(here.begin(), here.end()))) return placement;
  }
  return regular;
}

NodePlacement NodePlacement::each_alone(int ranks) { return without_table({ranks, ranks, 1, 1, ranks, 0}); }

NodePlacement NodePlacement::without_table(const Shape& shape) {
  NodePlacement placement;
  placement.ranks_ = shape.ranks;
  placement.nodes_ = shape.nodes;
  placement.width_ = shape.width;
  if (shape.width == shape.of_first) {
    placement.turn_nodes_ = shape.alike;
    placement.turn_ranks_ = shape.alike * shape.of_first;
    placement.narrow_ = std::max(shape.other, 1);
  } else {
    placement.turn_nodes_ = shape.nodes;
    placement.turn_ranks_ = shape.ranks;
  }
  return placement;
}

bool NodePlacement::fits(int node, std::span<const int64_t> ranks) const {
  if (ranks_on(node) != static_cast<int>(ranks.size())) return false;
  for (size_t place = 0; place < ranks.size(); ++place) {
    if (rank_at(node, static_cast<int>(place)) != ranks[place]) return false;
  }
  return true;
}

int NodePlacement::ranks_on(int node) const {
  if (!table_.empty()) {
    const std::span<const int> begins = table_.subspan(static_cast<size_t>(ranks_));
    return begins[static_cast<size_t>(node) + 1] - begins[static_cast<size_t>(node)];
  }
  if (node >= turn_nodes_) {
    const int64_t before = turn_ranks_ + int64_t{narrow_} * (node - turn_nodes_);
    return static_cast<int>(std::clamp<int64_t>(ranks_ - before, 0, narrow_));
  }
  const int64_t turn = int64_t{width_} * turn_nodes_, rest = turn_ranks_ % turn - int64_t{width_} * node;
  return static_cast<int>(turn_ranks_ / turn * width_ + std::clamp<int64_t>(rest, 0, width_));
}

int NodePlacement::rank_at(int node, int place) const {
  if (!table_.empty()) {
    const auto ranks = static_cast<size_t>(ranks_), nodes = static_cast<size_t>(nodes_);
    const int begin = table_[ranks + static_cast<size_t>(node)];
    return table_[ranks + nodes + 1 + static_cast<size_t>(begin + place)];
  }
  if (node >= turn_nodes_) return turn_ranks_ + narrow_ * (node - turn_nodes_) + place;
  return place / width_ * width_ * turn_nodes_ + node * width_ + place % width_;
}

std::vector<int> NodePlacement::ranks_of(int node) const {
  std::vector<int> ranks(static_cast<size_t>(ranks_on(node)));
  for (size_t place = 0; place < ranks.size(); ++place) ranks[place] = rank_at(node, static_cast<int>(place));
  return ranks;
}

void NodePlacement::fill_table(std::span<const int> node_of_rank, int nodes, std::span<int> table) {
  const size_t ranks = node_of_rank.size();
  std::ranges::copy(node_of_rank, table.begin());
  const std::span<int> begins = table.subspan(ranks, static_cast<size_t>(nodes) + 1);
  const std::span<int> of_nodes = table.subspan(ranks + begins.size());
  std::ranges::fill(begins, 0);
  for (const int node : node_of_rank) ++begins[static_cast<size_t>(node) + 1];
  for (size_t node = 1; node < begins.size(); ++node) begins[node] += begins[node - 1];
  // The ranks are filled in from behind: meanwhile the begin of the next node moves to that of its node.
  for (size_t rank = ranks; rank-- > 0;) {
    int& end = begins[static_cast<size_t>(node_of_rank[rank]) + 1];
    of_nodes[static_cast<size_t>(--end)] = static_cast<int>(rank);
  }
  std::ranges::copy(begins.subspan(1), begins.begin());
  begins.back() = static_cast<int>(ranks);
}

NodePlacement NodePlacement::by_table(int ranks, int nodes, std::span<const int> table,
                                      std::shared_ptr<const void> owner) {
  NodePlacement placement;
  placement.ranks_ = ranks;
  placement.nodes_ = nodes;
  placement.table_ = table;
  placement.owner_ = std::move(owner);
  return placement;
}

}  // namespace scorpio::comm
