// Which nodes hold elements of a decomposition in a range of its array. Every rank knows the elements of
// every node, described by a bounded number of ranges, so that all ranks compute the same messages. Local;
// thread-safe for readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/group.h"
#include "comm/node_map.h"
#include "decomp/coarse_set.h"

namespace scorpio::plan {

// The number of ranges that describe the elements of all nodes together (64 KiB); in larger jobs one range
// for each node.
inline constexpr size_t k_most_node_ranges = 2048;

class NodeSets {
 public:
  NodeSets() = default;
  explicit NodeSets(std::span<const decomp::CoarseSet> sets);  // [nodes]
  // All nodes may hold these elements.
  static NodeSets alike(size_t nodes, const decomp::CoarseSet& set);
  // Only `node` holds elements.
  static NodeSets alone(size_t nodes, size_t node, const decomp::CoarseSet& set);

  size_t nodes() const { return nodes_; }
  std::span<const decomp::StridedRange> ranges(size_t node) const;
  // The smallest range that contains the elements of the node; {0, 0} if it has none.
  decomp::Interval hull(size_t node) const;
  // Whether the node may hold an element of [begin, end).
  bool any(size_t node, int64_t begin, int64_t end) const { return decomp::any_in(ranges(node), begin, end); }
  // The elements of all nodes together, in at most `most` ranges.
  decomp::CoarseSet all(size_t most) const;
  // Whether each node holds every element of its ranges.
  bool exact() const { return exact_; }
  // The memory of the sets.
  size_t kept_bytes() const {
    return first_.size() * sizeof(size_t) + ranges_.size() * sizeof(decomp::StridedRange);
  }
  friend bool operator==(const NodeSets&, const NodeSets&) = default;

 private:
  size_t nodes_ = 0;
  bool alike_ = false;  // all nodes have the ranges of node 0
  bool exact_ = true;
  std::vector<size_t> first_;  // [nodes + 1] where the ranges of each node begin
  std::vector<decomp::StridedRange> ranges_;
};

// The largest number of ranges of each of `nodes` nodes.
size_t most_ranges_of_node(size_t nodes);

// The sets of all nodes, from the elements of each rank (`own`: none of them twice). Collective over `comm`:
// the ranks of each node send their sets to its leader, and the leaders exchange the union of these. A rank
// receives at most 40 bytes for each of k_most_node_ranges ranges and, as a leader, the sets of the ranks of
// its node. A rank without memory fails, possibly alone, as in gather_by_node().
Result<NodeSets> gather_node_sets(const comm::Group& comm, const comm::NodeMap& nodes,
                                  const decomp::RunList& own);
// The same sets, in one process that has the elements of all ranks (`own`: [ranks]). Local.
NodeSets node_sets_of(const comm::NodeMap& nodes, std::span<const decomp::RunList> own);

// As words: for each set the number of its ranges and whether it is exact, then the ranges.
void append_words(std::vector<int64_t>& words, const decomp::CoarseSet& set);
std::vector<decomp::CoarseSet> sets_of_words(std::span<const int64_t> words);

}  // namespace scorpio::plan
