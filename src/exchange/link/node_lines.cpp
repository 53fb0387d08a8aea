#include "exchange/link/node_lines.h"

#include "comm/futex.h"

namespace scorpio::exchange {

NodeLines::NodeLines(const Staging& staging, const comm::NodeMap& nodes, int channel)
    : staging_(staging),
      channel_(channel),
      mine_(&staging.rank_line(channel, nodes.my_local_rank)),
      node_(&staging.node_line(channel)) {}

// Only the first rank that finds it asleep wakes it: it checks all conditions before it sleeps again.
void NodeLines::ring(RankLine& line) {
  if (line.sleeping.load() == 0 || line.sleeping.exchange(0) == 0) return;
  line.bell.fetch_add(1, std::memory_order_release);
  comm::futex_wake_all(line.bell);
}

void NodeLines::ring_all() const {
  for (int r = 0; r < ranks(); ++r) ring(of(r));
}

}  // namespace scorpio::exchange
