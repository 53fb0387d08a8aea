// The staging memory of an I/O system: one segment per node, made once, lent to files as channels.
// create and the lending calls are Collective in order (every rank makes the same calls); the rest is Local.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "comm/node_map.h"
#include "comm/shared_segment.h"
#include "exchange/slot_pool.h"
#include "exchange/staging_layout.h"
#include "exchange/staging_memory.h"

namespace scorpio::exchange {

class Staging final : public StagingMemory {
 public:
  // In a segment that it makes. `io_ranks` in any order. The same status on all ranks of a node, not on all
  // nodes: the caller agrees.
  static Result<std::unique_ptr<Staging>> create(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                                                 const StagingSizes& sizes);
  // In memory that the ranks of the node share: so many bytes, zeroed, aligned to a page. `segment` owns it,
  // or it outlives this. Local.
  static size_t bytes(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                      const StagingSizes& sizes);
  static Result<std::unique_ptr<Staging>> over(std::byte* memory, const comm::NodeMap& nodes,
                                               const std::vector<int>& io_ranks, const StagingSizes& sizes,
                                               comm::SharedSegment segment = {});

  // The next lease is no shared one.
  bool has_room() const;
  // `files`: as many can be lent an even share of the slots each; 0: half of what is left.
  Lease lend(int files);
  void take_back(const Lease& lease);

  // Bytes of the segment that this rank accounts for: an I/O rank its share, elsewhere the leader the whole.
  uint64_t accounted_bytes() const { return accounted_; }

 private:
  Staging(StagingMemory memory, comm::SharedSegment segment);
  void prefault(int my_local_owner);

  comm::SharedSegment segment_;
  uint64_t accounted_ = 0;
  SlotPool channels_, slots_, out_slots_;
};

}  // namespace scorpio::exchange
