// The division of a node's staging segment, computed from sizes alone. Pure; the slot numbers are the same on
// every node.
//
// boards of reductions | control lines of each channel | for each I/O rank of the node: counters of its
// slots, a bell | for each I/O rank: the slots in common that are in use | for each channel and I/O rank: its
// slots of these | tasks of each I/O rank | slots | outgoing slots of the node | bitmaps of all slots |
// message buffers of each I/O rank of the node
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "exchange/images/bitmap.h"
#include "exchange/memory/control.h"

namespace scorpio::exchange {

struct StagingSizes {
  uint64_t unit_bytes = 0;  // the longest unit: the image in one slot
  uint64_t bitmap_bytes = 0;
  int slots = 0;      // per I/O rank
  int scattered = 0;  // the number of slots, the last ones, that have a bitmap; all outgoing slots have one
  int out_slots = 0;  // per node; 0 when the job has one node
  int channels = 0;   // files that have slots of their own, plus the shared one
  int receives = 0;   // message buffers per I/O rank, which files divide among them
  // Of each I/O rank: the first slots are those of the files, as many of each; the others, but for the last
  // one, are used by the files that need them. 0: there are none in common.
  int files = 0;
  int reserved = 0;
  bool tasks = false;  // there is memory for tasks (comm/shared_tasks.h)

  // Whether this slot of an I/O rank has a bitmap.
  bool has_bitmap(int slot) const { return slot >= slots - scattered; }
  int common() const { return reserved > 0 ? slots - 1 - files * reserved : 0; }
  uint64_t slot_bytes() const { return unit_bytes + bitmap_bytes; }
  // The memory of the index of a bitmap (exchange/images/bitmap.h), which follows it.
  uint64_t index_bytes() const { return Bitmap::index_bytes(unit_bytes); }
  // The size of a message with a unit, its bitmap and a small head; 0 if there are no messages.
  uint64_t message_bytes() const;
  // The memory of an outgoing slot, in which messages are made, without its bitmap: before the image there is
  // a line for their head, after it the space of a list of runs.
  uint64_t out_image_bytes() const;
};

// The largest unit: longer writes are not faster, and slots should fit into the cache.
inline constexpr uint64_t k_largest_unit = 4u << 20;
// The least memory of an I/O rank.
inline constexpr uint64_t k_smallest_budget = 64u << 10;

// The values are equal on all nodes.
struct NodeShape {
  bool several_nodes = false;
  int ranks_per_io_rank = 1;  // on the node with the most; their control lines count in the budget
  bool one_file = false;  // one file at a time gets the whole budget for its data, up to 5 % more are used
  // The number of files that divide the slots among them and are written in the background; 0: not known, or
  // none are.
  int files = 0;
};

// Divides `budget` bytes of one I/O rank. Code::argument if they are too few for two slots.
Result<StagingSizes> divide_budget(uint64_t budget, uint64_t block_bytes, const NodeShape& shape);

class StagingLayout {
 public:
  StagingLayout(const StagingSizes& sizes, int local_ranks, int local_io_ranks);

  size_t total_bytes() const { return total_; }
  size_t meeting() const { return 0; }
  size_t control(int channel) const { return controls_at_ + static_cast<size_t>(channel) * control_bytes_; }
  // The counters of the I/O rank's first slot; those of the others follow.
  size_t slot_counters(int local_owner) const;
  // The line of the slots that channels have in common, after which a bit of each slot of the I/O rank
  // follows.
  size_t common_line(int local_owner) const;
  // The number of slots that the channel has bound, after which its slots follow.
  size_t bindings(int channel, int local_owner) const;
  // The bell of the I/O rank's worker, after the counters.
  size_t worker_bell(int local_owner) const;
  size_t tasks() const { return tasks_at_; }  // of all I/O ranks of the node, if there are any
  // The positions of an image and of a bitmap. `local_owner` counts the I/O ranks of the node; the number
  // after the last one stands for the outgoing slots.
  size_t image(int local_owner, int slot) const {
    const auto number = static_cast<size_t>(slot);
    if (local_owner == local_io_ranks_)
      return out_images_at_ + number * sizes_.out_image_bytes() + k_line_bytes;
    return images_at_ + (static_cast<size_t>(local_owner * sizes_.slots) + number) * sizes_.unit_bytes;
  }
  size_t bitmap(int local_owner, int slot) const;  // only if the slot has one
  bool has_bitmap(int local_owner, int slot) const {
    return local_owner == local_io_ranks_ || sizes_.has_bitmap(slot);
  }
  // Buffer `number` of those in which the I/O rank receives messages.
  size_t message(int local_owner, int number) const;

 private:
  StagingSizes sizes_;
  int local_io_ranks_;
  size_t controls_at_;
  size_t control_bytes_;
  size_t counters_at_;
  size_t commons_at_;
  size_t bindings_at_;
  size_t tasks_at_;
  size_t images_at_;
  size_t out_images_at_;
  size_t bitmaps_at_;
  size_t messages_at_;
  size_t total_;
};

}  // namespace scorpio::exchange
