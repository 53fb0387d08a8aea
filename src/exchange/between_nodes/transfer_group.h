// The ranks that exchange data between nodes: the leader of each node, which sends and receives for its
// ranks, and the I/O ranks. What collective operations among them need (option transfer). Local and pure.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/node_map.h"

namespace scorpio::exchange {

// How data cross between nodes (option transfer).
enum class Transfer { messages, all_to_all, neighbors };

struct TransferGroup {
  uint64_t ranks = 0;       // that exchange data with a rank of another node
  uint64_t most_peers = 0;  // of the one that may exchange data with most others

  static TransferGroup of(const comm::NodeMap& nodes, const std::vector<int>& io_ranks);

  // The ranks with which one of them exchanges data in an operation, at most. `way` is not `messages`.
  uint64_t partners(Transfer way) const;
  // The memory of one of them for the lengths of messages, for each file that is open; the messages are in
  // the staging memory. 0 without collective operations.
  uint64_t length_bytes(Transfer way) const;
};

}  // namespace scorpio::exchange
