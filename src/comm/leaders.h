// The reductions among the leaders (the first ranks of the nodes), which reductions in shared memory
// (node_meeting.h) need between nodes. An interface, so that tests can use it without MPI, with threads as
// ranks. One thread.
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
  // From now on `work`, which outlives this, is called repeatedly while a reduction waits for other leaders.
  // Local.
  virtual void while_waiting(const std::function<void()>* work) = 0;
  // Progresses the messages of this rank; any rank may call it. Local.
  virtual void progress() = 0;
  virtual Status free() = 0;  // ends the use of the communicator, which its owner frees
};

// By the communicator of the leaders of several nodes, which `nodes` keeps. Local.
std::unique_ptr<Leaders> make_leaders(NodeMap& nodes);

}  // namespace scorpio::comm
