// Converts row-major elements of an array to elements of the raw space of its chunks. The elements are those
// of the whole array, or of one frame: the elements at one index of the first dimension, counted from the
// beginning of the frame in raw space (ChunkGrid::frame_begin). Local and pure.
#pragma once

#include <cstdint>
#include <vector>

#include "decomp/chunk_grid.h"
#include "decomp/runs.h"

namespace scorpio::decomp {

class ChunkOrder {
 public:
  // `grid` outlives this object.
  ChunkOrder(const ChunkGrid& grid, bool frame);

  // The number of elements of the array, or of the frame.
  int64_t total() const { return total_; }
  // The same elements of the buffer, in the order of raw space.
  RunList runs(const RunList& row_major) const;

  struct Cover {
    std::vector<Interval> intervals;  // sorted, disjoint
    bool exact = true;                // false: the cover has further elements
  };
  // The elements that the intervals (sorted, disjoint) cover. If they cover the whole array, the padding of
  // chunks is covered too, because it is stored with them. More than `most` intervals are joined.
  Cover cover(const std::vector<Interval>& row_major, size_t most) const;
  // A range that contains all of `row_major`; {0, 0} for an empty one.
  Interval hull(const Interval& row_major) const;

 private:
  // Calls visit(raw element, offset in the interval, length) for each contiguous piece of [begin, end).
  template <typename Visit>
  void for_each_piece(int64_t begin, int64_t end, Visit&& visit) const;
  std::vector<Interval> everything() const;

  const ChunkGrid& grid_;
  bool frame_;
  int64_t total_ = 1;
  // The dimensions of the array; complete rows of chunks are joined with the dimension before.
  std::vector<int64_t> dims_;
  std::vector<int64_t> chunk_;
  std::vector<int64_t> chunks_;  // [dims]
};

}  // namespace scorpio::decomp
