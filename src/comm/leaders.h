// What a meeting in memory (node_meeting.h) needs between nodes: reductions among the leaders, which are the
// first ranks of the nodes. An interface, so that meetings work without MPI where ranks are threads. One
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/result.h"

namespace scorpio::comm {

class Communicator;
struct NodeMap;

class Leaders {
 public:
  virtual ~Leaders() = default;
  // Element-wise maximum over the leaders, in place; of the last `sums` values the sum modulo 2^64 instead.
  // Collective over the leaders.
  virtual Status all_max(std::span<uint64_t> values, size_t sums) = 0;
  // From now on `work`, which outlives this, is called again and again while a reduction waits for others.
  // Local.
  virtual void while_waiting(const std::function<void()>* work) = 0;
  // Advances the messages of this rank that are under way; any rank may call it. Local.
  virtual void progress() = 0;
  virtual Status free() = 0;  // Collective over all ranks
};

// Collective over `comm`.
Result<std::unique_ptr<Leaders>> make_leaders(const Communicator& comm, const NodeMap& nodes);

}  // namespace scorpio::comm
