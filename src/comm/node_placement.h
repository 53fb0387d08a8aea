// Which ranks share a node. Placements in blocks of consecutive ranks, and in turn, are described by a few
// numbers, whatever the number of ranks; any other placement by a table. Local; thread-safe for readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scorpio::comm {

// Nodes are numbered by their lowest rank.
class NodePlacement {
 public:
  NodePlacement() = default;  // no ranks

  // Ranks with the same key share a node.
  static NodePlacement of(std::span<const int64_t> keys);  // [ranks]
  static NodePlacement each_alone(int ranks);

  int ranks() const { return ranks_; }
  int nodes() const { return nodes_; }
  int node_of(int rank) const {
    if (!table_.empty()) return table_[static_cast<size_t>(rank)];
    return rank < turn_ranks_ ? rank / width_ % turn_nodes_ : turn_nodes_ + (rank - turn_ranks_) / narrow_;
  }
  int ranks_on(int node) const;            // their number
  int rank_at(int node, int place) const;  // the ranks of a node ascend with the place
  int leader(int node) const { return rank_at(node, 0); }
  std::vector<int> ranks_of(int node) const;
  // The size of the table; 0 if there is none.
  size_t table_bytes() const { return table_.size_bytes(); }

  // ---- how the nodes of a job find their placement without telling each other all ranks ----

  struct Shape {
    int ranks = 0, nodes = 0;
    int width = 0;     // the number of consecutive ranks with which node 0 begins
    int of_first = 0;  // ranks of node 0
    int alike = 0;     // nodes with as many ranks as node 0
    int other = 0;     // the largest number of ranks of the other nodes; 0 if there are none
  };
  // The only placement of this shape that needs no table. It is that of the job if fits() says so for each
  // node.
  static NodePlacement without_table(const Shape& shape);
  bool fits(int node, std::span<const int64_t> ranks) const;

  // The number of values of a table.
  static size_t table_size(int ranks, int nodes) {
    return 2 * static_cast<size_t>(ranks) + static_cast<size_t>(nodes) + 1;
  }
  static void fill_table(std::span<const int> node_of_rank, int nodes, std::span<int> table);
  // `owner` keeps the memory of the table.
  static NodePlacement by_table(int ranks, int nodes, std::span<const int> table,
                                std::shared_ptr<const void> owner);

 private:
  int ranks_ = 0, nodes_ = 0;
  // Blocks of `width_` of the first ranks belong to the first nodes in turn, blocks of `narrow_` of the other
  // ranks to one node each.
  int turn_ranks_ = 0, turn_nodes_ = 1, width_ = 1, narrow_ = 1;
  // The node of each rank, where the ranks of each node begin, and these [ranks + nodes + 1 + ranks].
  std::span<const int> table_;
  std::shared_ptr<const void> owner_;
};

}  // namespace scorpio::comm
