#include "plan/node_sets.h"

#include <algorithm>

#include "base/attempt.h"

namespace scorpio::plan {

using decomp::CoarseSet;
using decomp::StridedRange;

NodeSets::NodeSets(std::span<const CoarseSet> sets) : nodes_(sets.size()) {
  if (!sets.empty()) first_.push_back(0);
  for (const CoarseSet& set : sets) {
    exact_ = exact_ && set.exact;
    ranges_.insert(ranges_.end(), set.ranges.begin(), set.ranges.end());
    first_.push_back(ranges_.size());
  }
}

NodeSets NodeSets::alike(size_t nodes, const CoarseSet& set) {
  NodeSets sets(std::span(&set, 1));
  sets.nodes_ = nodes;
  sets.alike_ = true;
  return sets;
}

NodeSets NodeSets::alone(size_t nodes, size_t node, const CoarseSet& set) {
  std::vector<CoarseSet> sets(nodes);
  sets[node] = set;
  return NodeSets(sets);
}

std::span<const StridedRange> NodeSets::ranges(size_t node) const {
  const size_t i = alike_ ? 0 : node;
  return std::span(ranges_).subspan(first_[i], first_[i + 1] - first_[i]);
}

decomp::Interval NodeSets::hull(size_t node) const {
  const std::span<const StridedRange> all = ranges(node);
  if (all.empty()) return {0, 0};
  return {all.front().begin, all.back().end()};
}

CoarseSet NodeSets::all(size_t most) const {
  std::vector<CoarseSet> sets;
  for (size_t n = 0; n < (alike_ ? 1 : nodes_); ++n) {
    const std::span<const StridedRange> own = ranges(n);
    sets.push_back({{own.begin(), own.end()}, exact_});
  }
  return decomp::united(sets, most);
}

size_t most_ranges_of_node(size_t nodes) { return std::max<size_t>(1, k_most_node_ranges / nodes); }

void append_words(std::vector<int64_t>& words, const CoarseSet& set) {
  words.push_back(static_cast<int64_t>(2 * set.ranges.size()) + (set.exact ? 1 : 0));
  for (const StridedRange& r : set.ranges) words.insert(words.end(), {r.begin, r.length, r.count, r.stride});
}

std::vector<CoarseSet> sets_of_words(std::span<const int64_t> words) {
  std::vector<CoarseSet> sets;
  for (size_t at = 0; at < words.size();) {
    const auto head = static_cast<size_t>(words[at++]);
    CoarseSet& set = sets.emplace_back();
    set.exact = head % 2 == 1;
    for (size_t i = 0; i < head / 2; ++i, at += 4)
      set.ranges.push_back({words[at], words[at + 1], words[at + 2], words[at + 3]});
  }
  return sets;
}

Result<NodeSets> gather_node_sets(const comm::Group& comm, const comm::NodeMap& nodes,
                                  const decomp::RunList& own) {
  const size_t most = most_ranges_of_node(static_cast<size_t>(nodes.nodes()));
  Status so_far;
  std::vector<int64_t> mine;
  attempt(so_far, [&] { append_words(mine, decomp::coarse_set(own, most)); });
  if (!so_far.ok()) mine.clear();  // the others wait for a list
  const auto unite = [most](std::span<const int64_t> of_ranks) {
    std::vector<int64_t> words;
    append_words(words, decomp::united(sets_of_words(of_ranks), most));
    return words;
  };
  SCORPIO_ASSIGN(const std::vector<int64_t> all, comm.gather_by_node(nodes, mine, unite));
  SCORPIO_TRY(so_far);
  return NodeSets(sets_of_words(all));
}

NodeSets node_sets_of(const comm::NodeMap& nodes, std::span<const decomp::RunList> own) {
  const size_t most = most_ranges_of_node(static_cast<size_t>(nodes.nodes()));
  std::vector<CoarseSet> sets;
  for (int node = 0; node < nodes.nodes(); ++node) {
    std::vector<CoarseSet> of_ranks;
    for (const int rank : nodes.ranks_of(node))
      of_ranks.push_back(decomp::coarse_set(own[static_cast<size_t>(rank)], most));
    sets.push_back(decomp::united(of_ranks, most));
  }
  return NodeSets(sets);
}

}  // namespace scorpio::plan
