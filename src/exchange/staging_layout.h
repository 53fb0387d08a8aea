// The division of a node's staging segment, computed from sizes alone. Pure; the slot numbers are the same on
// every node.
//
//   boards of reductions | control lines of each channel | per I/O rank of the node: counters of its slots, a
//   bell | slots, each with its bitmap | outgoing slots of the node | one message buffer per I/O rank of the
//   node and one for the node's leader
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"

namespace scorpio::exchange {

struct StagingSizes {
  uint64_t unit_bytes = 0;  // the longest unit: the image in one slot
  uint64_t bitmap_bytes = 0;
  int slots = 0;      // per I/O rank
  int scattered = 0;  // of them, the last so many, that have a bitmap; outgoing slots all have one
  int out_slots = 0;  // per node; 0 when the job has one node
  int channels = 0;   // files that have slots of their own, plus the shared one

  uint64_t slot_bytes() const { return unit_bytes + bitmap_bytes; }
  // A unit, its bitmap and a small head; 0 when there are no messages.
  uint64_t message_bytes() const;
};

// Largest unit: a longer write call gains nothing, and slots should fit the cache.
inline constexpr uint64_t k_largest_unit = 4u << 20;
// The least memory of an I/O rank.
inline constexpr uint64_t k_smallest_budget = 64u << 10;

// Equal on all nodes.
struct NodeShape {
  bool several_nodes = false;
  int ranks_per_io_rank = 1;  // of the node where it is largest: their control lines count in the budget
  bool one_file = false;      // one file at a time gets all of the budget for its data, 5 % are on top
  int files = 0;              // that share the slots evenly and are written in the background; 0: not known
};

// Divides `budget` bytes of one I/O rank. Code::argument when it is too small for two slots.
Result<StagingSizes> divide_budget(uint64_t budget, uint64_t block_bytes, const NodeShape& shape);

class StagingLayout {
 public:
  StagingLayout(const StagingSizes& sizes, int local_ranks, int local_io_ranks);

  size_t total_bytes() const { return total_; }
  size_t meeting() const { return 0; }
  size_t control(int channel) const { return controls_at_ + static_cast<size_t>(channel) * control_bytes_; }
  // Of the first of its slots; the others' follow.
  size_t slot_counters(int local_owner) const;
  // Of its worker: behind them.
  size_t worker_bell(int local_owner) const;
  // Where an image and a bitmap lie. `local_owner` counts the I/O ranks of the node; the outgoing slots are
  // those of the "I/O rank" behind the last.
  size_t image(int local_owner, int slot) const;
  size_t bitmap(int local_owner, int slot) const;  // only if it has one
  bool has_bitmap(int local_owner, int slot) const;
  // Likewise: the leader's buffers are behind those of the last I/O rank.
  size_t message(int local_owner, int channel) const;

 private:
  StagingSizes sizes_;
  int local_io_ranks_;
  size_t controls_at_;
  size_t control_bytes_;
  size_t counters_at_;
  size_t images_at_;
  size_t bitmaps_at_;
  size_t messages_at_;
  size_t total_;
};

}  // namespace scorpio::exchange
