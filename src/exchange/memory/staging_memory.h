// The parts of a node's staging memory: slots, their counters, control lines, message buffers. Local; in any
// memory of the right size that is zeroed and page-aligned.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "exchange/images/bitmap.h"
#include "exchange/memory/control.h"
#include "exchange/memory/staging_layout.h"

namespace scorpio::exchange {

// The memory of a slot: the image of one unit, and a bitmap of the bytes that hold data.
struct Slot {
  std::byte* bytes = nullptr;
  Bitmap bitmap{nullptr, 0};  // not used if the slot has none: exact flows need no bitmap
};

// The part of the staging memory that a file uses.
struct Lease {
  int channel = 0;
  std::vector<int> slots;      // physical numbers of each I/O rank's slots, ascending
  int scattered = 0;           // the number of them, the last ones, that have a bitmap
  std::vector<int> out_slots;  // those of every node
  std::vector<int> receives;   // buffers of each I/O rank for messages
  int common = 0;  // the number of further slots of each I/O rank that it may use, in common with other files
  uint64_t packed_bytes = 0;  // parts of several units may be packed into a slot of so many bytes; 0: never
  bool shared = false;        // the slot of the files that were opened when the memory was used up

  // The number of slots of each I/O rank that it may use at the same time.
  size_t most_slots() const { return slots.size() + static_cast<size_t>(common); }
};

class StagingMemory {
 public:
  // `local_owner` [I/O ranks]: index among those of this node, -1 on other nodes. `memory` outlives this
  // object.
  StagingMemory(const StagingSizes& sizes, int local_ranks, std::vector<int> local_owner, std::byte* memory);

  const StagingSizes& sizes() const { return sizes_; }
  const StagingLayout& layout() const { return layout_; }
  size_t message_bytes() const { return sizes_.message_bytes(); }
  int local_ranks() const { return local_ranks_; }
  // The index of I/O rank `owner` among those of this node; -1 if it is on another node.
  int local_owner(int owner) const { return local_owner_[static_cast<size_t>(owner)]; }

  Slot slot(int owner, int physical_slot) const { return slot_at(local_owner(owner), physical_slot); }
  Slot out_slot(int physical_slot) const { return slot_at(local_io_ranks_, physical_slot); }
  // Of the slot.
  std::byte* image(int owner, int physical_slot) const {
    return memory_ + layout_.image(local_owner(owner), physical_slot);
  }
  // Buffer `number` of those in which the I/O rank receives messages.
  std::byte* owner_message(int owner, int number) const;

  // The memory for a comm::NodeMeeting of the node's ranks.
  std::byte* meeting() const { return memory_ + layout_.meeting(); }
  // The memory for comm::SharedTasks of the node's I/O ranks; null: there is none.
  std::byte* tasks() const { return sizes_.tasks ? memory_ + layout_.tasks() : nullptr; }
  // All of it.
  std::span<std::byte> all() const { return {memory_, layout_.total_bytes()}; }
  int local_io_ranks() const { return local_io_ranks_; }
  RankLine& rank_line(int channel, int local_rank) const;
  NodeLine& node_line(int channel) const;
  SlotCounter& slot_counter(int owner, int physical_slot) const;  // `owner`: an I/O rank of this node

  WorkerBell& worker_bell(int owner) const;  // the same
  // The slots in common, if there are any; of I/O ranks of this node.
  CommonLine& common_line(int owner) const;
  Shared<uint64_t>& taken(int owner, int physical_slot) const;  // the word with the bit of this slot
  Shared<uint64_t>& bound(int channel, int owner) const;  // the number of activations whose slots are bound
  SlotBinding& binding(int channel, int owner, int slot) const;

  // Zeroes the counters of the channel and of its slots. One rank of the node calls it while none uses them.
  void reset(const Lease& lease) const;
  // Clears the bitmaps of the slots, and gives slots in common back. One rank of the node calls it after a
  // channel has failed. Returns the channels whose ranks wait for a slot in common, as bits: they must be
  // woken.
  [[nodiscard]] uint64_t clear_slots(const Lease& lease) const;
  // Slots in common were given back: the channels whose ranks wait for one, as bits. They must be woken, and
  // say again if they get none.
  [[nodiscard]] uint64_t end_wanting(int owner) const;

 protected:
  std::byte* memory() const { return memory_; }

 private:
  void release(const Lease& lease, int owner) const;
  void clear_free_slots(int owner) const;
  Slot slot_at(int local_owner, int slot) const;

  StagingSizes sizes_;
  int local_ranks_;
  std::vector<int> local_owner_;
  int local_io_ranks_;
  StagingLayout layout_;
  std::byte* memory_;
};

}  // namespace scorpio::exchange
