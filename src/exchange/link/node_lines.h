// The counters of a channel that the ranks of a node share (control.h), as one rank of it sees them, and the
// waking of ranks that sleep. Each rank has a *line* of counters, so called because it begins a cache line,
// and the node has one. Any thread.
#pragma once

#include <cstddef>

#include "comm/node_map.h"
#include "exchange/memory/control.h"
#include "exchange/memory/staging.h"

namespace scorpio::exchange {

class NodeLines {
 public:
  // Both outlive this object.
  NodeLines(const Staging& staging, const comm::NodeMap& nodes, int channel);

  int ranks() const { return staging_.local_ranks(); }
  RankLine& of(int local_rank) const { return staging_.rank_line(channel_, local_rank); }
  RankLine& mine() const { return *mine_; }
  NodeLine& node() const { return *node_; }

  // Wakes a rank, or all ranks of the node, if they sleep.
  static void ring(RankLine& line);
  void ring_all() const;

 private:
  const Staging& staging_;
  int channel_;
  RankLine* mine_;
  NodeLine* node_;
};

}  // namespace scorpio::exchange
