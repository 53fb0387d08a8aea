// What a put or a get will cost in the communication phase, computed from its flow without carrying it out.
// Local and pure.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/node_map.h"
#include "exchange/copies/flow.h"

namespace scorpio::exchange {

struct Forecast {
  // The same on all ranks.
  uint64_t units = 0;
  std::vector<uint64_t> units_of;  // [I/O ranks]
  uint64_t messages = 0;           // between nodes, in a put; a get has a request and a reply for each
  uint64_t bytes = 0;              // of the file, in the parts that ranks hold
  // Of this rank: the bytes of its elements that are sent to an I/O rank of another node.
  uint64_t crossing = 0;

  // If the puts before this operation have left no unit open.
  static Forecast of(const Flow& flow, const comm::NodeMap& nodes, const std::vector<int>& io_ranks);
};

}  // namespace scorpio::exchange
