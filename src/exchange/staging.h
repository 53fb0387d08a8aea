// The staging memory of an I/O system: one segment per node, made once, lent to files as channels.
// create and the lending calls are Collective in order (every rank makes the same calls); the rest is Local.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "comm/communicator.h"
#include "comm/node_map.h"
#include "comm/shared_segment.h"
#include "exchange/bitmap.h"
#include "exchange/control.h"
#include "exchange/slot_pool.h"
#include "exchange/staging_layout.h"

namespace scorpio::exchange {

// A slot as memory: the image of one region, and which of its bytes hold data.
struct Slot {
  std::byte* bytes = nullptr;
  Bitmap bitmap{nullptr, 0};  // not to be touched where the slot has none: data of exact flows need none
};

// What a file holds of the staging memory.
struct Lease {
  int channel = 0;
  std::vector<int> slots;      // of every I/O rank, physical numbers, ascending
  int scattered = 0;           // of them, the last so many, that have a bitmap
  std::vector<int> out_slots;  // of every node
  bool shared = false;         // the one slot for files that came when the budget was used up
};

class Staging {
 public:
  // `io_ranks` in any order. The same status on all ranks of a node, not on all nodes: the caller agrees.
  static Result<std::unique_ptr<Staging>> create(const comm::NodeMap& nodes, const std::vector<int>& io_ranks,
                                                 const StagingSizes& sizes);

  // `files`: as many can be lent an even share of the slots each; 0: half of what is left.
  Lease lend(int files);
  void take_back(const Lease& lease);

  const StagingSizes& sizes() const { return sizes_; }
  // Bytes of the segment that this rank accounts for: an I/O rank its share, elsewhere the leader the whole.
  uint64_t accounted_bytes() const { return accounted_; }

  // Index of I/O rank `owner` among those of this node; -1 when it is elsewhere.
  int local_owner(int owner) const { return local_owner_[static_cast<size_t>(owner)]; }
  Slot slot(int owner, int physical_slot) const;
  Slot out_slot(int physical_slot) const;
  // Buffers for one message of the channel.
  std::byte* owner_message(int channel, int owner) const;
  std::byte* leader_message(int channel) const;
  size_t message_bytes() const { return sizes_.message_bytes(); }

  // For a comm::NodeMeeting of the node's ranks.
  std::byte* meeting() const { return segment_.data() + layout_.meeting(); }
  RankLine& rank_line(int channel, int local_rank) const;
  SlotCounter& slot_counter(int owner, int physical_slot) const;  // of an I/O rank of this node
  NodeLine& node_line(int channel) const;
  int local_ranks() const { return local_ranks_; }
  // Zeroes the counters of the channel and of its slots; by one rank of the node, while none of it uses them.
  void reset(const Lease& lease) const;
  // Forgets which bytes of the slots hold data; by one rank of the node, when a channel ended in failure.
  void clear_slots(const Lease& lease) const;

 private:
  Staging(const StagingSizes& sizes, const StagingLayout& layout, comm::SharedSegment segment);
  void prefault(int my_local_owner);
  Slot slot_at(int local_owner, int slot) const;

  StagingSizes sizes_;
  StagingLayout layout_;
  comm::SharedSegment segment_;
  std::vector<int> local_owner_;  // [io ranks]
  int local_ranks_ = 0;
  int local_owners_ = 0;
  uint64_t accounted_ = 0;
  SlotPool channels_, slots_, out_slots_;
};

}  // namespace scorpio::exchange
