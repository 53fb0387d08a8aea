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
#include "exchange/memory/leases.h"
#include "exchange/memory/staging_layout.h"
#include "exchange/memory/staging_memory.h"

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

  // As those of Leases.
  bool has_room() const { return leases_.has_room(); }
  Lease lend(int files, bool background) { return leases_.lend(files, background); }
  void take_back(const Lease& lease) { leases_.take_back(lease); }

  // The bytes of the segment that this rank counts: on an I/O rank its share, on a node without any the
  // leader counts the whole.
  uint64_t accounted_bytes() const { return accounted_; }

 private:
  Staging(StagingMemory memory, comm::SharedSegment segment);
  void prefault(int my_local_owner);

  comm::SharedSegment segment_;
  uint64_t accounted_ = 0;
  Leases leases_;
};

}  // namespace scorpio::exchange
