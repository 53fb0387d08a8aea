// Elements of an array, row-major, as elements of the raw space in which its chunks follow each other. Of the
// whole array, or of one frame: what has one index of the first dimension, counted from the beginning of that
// frame in raw space (ChunkGrid::frame_begin). Local and pure.
#pragma once

#include <cstdint>
#include <vector>

#include "decomp/chunk_grid.h"
#include "decomp/runs.h"

namespace scorpio::decomp {

class ChunkOrder {
 public:
  // `grid` outlives it.
  ChunkOrder(const ChunkGrid& grid, bool frame);

  // Elements of the array, or of the frame.
  int64_t total() const { return total_; }
  // The same elements of the buffer in the order of raw space.
  RunList runs(const RunList& row_major) const;

  struct Cover {
    std::vector<Interval> intervals;  // sorted, disjoint
    bool exact = true;                // false: more than was asked for
  };
  // What the intervals (sorted, disjoint) cover. Where they are everything the padding of chunks is covered
  // too: it is stored with them. More than `most` intervals are joined.
  Cover cover(const std::vector<Interval>& row_major, size_t most) const;
  // A range that holds all of `row_major`; {0, 0} of an empty one.
  Interval hull(const Interval& row_major) const;

 private:
  // Calls visit(raw element, offset in the interval, length) for each piece of [begin, end) that lies
  // together.
  template <typename Visit>
  void for_each_piece(int64_t begin, int64_t end, Visit&& visit) const;
  std::vector<Interval> everything() const;

  const ChunkGrid& grid_;
  bool frame_;
  int64_t total_ = 1;
  // What is left of the array in the order of dimensions; whole rows of chunks are one dimension with the one
  // before.
  std::vector<int64_t> dims_;
  std::vector<int64_t> chunk_;
  std::vector<int64_t> chunks_;  // [dims]
};

}  // namespace scorpio::decomp
