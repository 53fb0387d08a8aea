// The staging memory of an I/O system: one segment for each node, created once, from which the channels of
// files get their slots (leases). create() and the functions that lease and release are Collective in order
// (every rank makes the same calls); the others are Local.
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
  // Creates the segment. `io_ranks` in any order. The status is the same on all ranks of a node, but not on
  // all nodes: the caller makes an agreement.
  static Result<std::unique_ptr<Staging>> create(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                                                 const StagingSizes& sizes);
  // over() uses memory that the ranks of the node share, of at least bytes() bytes, zeroed and page-aligned.
  // `segment` owns it, or it outlives this object. Local.
  static size_t bytes(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                      const StagingSizes& sizes);
  static Result<std::unique_ptr<Staging>> over(std::byte* memory, const comm::NodeMap& nodes,
                                               const std::vector<int>& io_ranks, const StagingSizes& sizes,
                                               comm::SharedSegment segment = {});

  // Whether the next lease has slots of its own.
  bool has_room() const;
  // `files`: the number of files that get an equal share of the slots each; 0: each file gets half of the
  // remaining slots. `background`: its slots are written while no call is made, so that it may use slots in
  // common with other files.
  Lease lend(int files, bool background);
  void take_back(const Lease& lease);

  // The bytes of the segment that this rank counts: on an I/O rank its share, on a node without any the
  // leader counts the whole.
  uint64_t accounted_bytes() const { return accounted_; }

 private:
  Staging(StagingMemory memory, comm::SharedSegment segment);
  void prefault(int my_local_owner);

  comm::SharedSegment segment_;
  uint64_t accounted_ = 0;
  SlotPool channels_, slots_, out_slots_;
};

}  // namespace scorpio::exchange
