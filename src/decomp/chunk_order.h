// Converts row-major elements of an array to elements of the raw space of its chunks. The elements are those
// of the whole array, or of one frame: the elements at one index of the first dimension, counted from the
// beginning of the frame in raw space (ChunkGrid::frame_begin). If the grid is free, they are those of a
// region of the array, counted from its first element in raw space. Local and pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decomp/chunk_grid.h"
#include "decomp/runs.h"

namespace scorpio::decomp {

// A region of an array whose grid is free: it begins at index 0 of all dimensions but the first.
struct Region {
  std::vector<int64_t> extents = {};  // [ndims]
  int64_t first = 0;                  // the index of the first dimension at which it begins

  // The least extents [ndims] of an array that contains the region; empty if the region has no elements.
  std::vector<int64_t> ends() const;
  friend bool operator==(const Region&, const Region&) = default;
};

class ChunkOrder {
 public:
  // `grid` outlives this object.
  ChunkOrder(const ChunkGrid& grid, bool frame);
  // For a free grid that has room for the region (ChunkGrid::fits).
  ChunkOrder(const ChunkGrid& grid, const Region& region);

  // The number of elements of the array, the frame or the region.
  int64_t total() const { return total_; }
  // The same elements of the buffer, in the order of raw space. Takes 24 bytes for each run of a layer of
  // chunks (of a frame, or where an element is held twice: for each run) beside the result.
  RunList runs(const RunList& row_major) const;

  struct Cover {
    std::vector<Interval> intervals;  // sorted, disjoint
    bool exact = true;                // false: the cover has further elements
  };
  // The elements that intervals cover. If one of them is the whole array, the padding of chunks is covered
  // too, because it is stored with them. If more than `most` intervals are needed, no gap shorter than a
  // chunk is kept, and of the others the longest.
  class Covering {
   public:
    Covering(const ChunkOrder& order, size_t most) : order_(order), most_(most) {}
    // Sorted, disjoint, and behind those before.
    void add(std::span<const Interval> row_major);
    Cover take();

   private:
    void add(const Interval& row_major);
    void reduce();

    const ChunkOrder& order_;
    size_t most_;
    bool whole_ = false;  // the array was added
    Cover cover_;
  };
  Cover cover(const std::vector<Interval>& row_major, size_t most) const;
  // A range that contains all of `row_major`; {0, 0} for an empty one.
  Interval hull(const Interval& row_major) const;

 private:
  // Calls visit(raw element, offset in the interval, length) for each contiguous piece of [begin, end).
  template <typename Visit>
  void for_each_piece(int64_t begin, int64_t end, Visit&& visit) const;
  template <typename Visit>
  void for_each_free_piece(int64_t begin, int64_t end, Visit&& visit) const;
  int64_t layer_elements() const;
  std::vector<Interval> everything() const;
  template <typename Visit>
  void for_each_chunk(std::vector<int64_t> first, std::vector<int64_t> last, Visit&& visit) const;
  std::vector<Interval> whole_region() const;
  Interval free_hull(const Interval& row_major) const;
  template <typename Visit>
  void for_each_chunk_near(const Interval& row_major, Visit&& visit) const;
  Interval elements_in_chunk(const std::vector<int64_t>& indices) const;
  void add_rows(const std::vector<int64_t>& indices, std::vector<Interval>& all) const;

  const ChunkGrid& grid_;
  bool frame_;
  int64_t first_ = 0;   // of the region
  int64_t origin_ = 0;  // its first element in raw space
  int64_t total_ = 1;
  // The dimensions of the array; complete rows of chunks are joined with the dimension before.
  std::vector<int64_t> dims_;
  std::vector<int64_t> chunk_;
  std::vector<int64_t> chunks_;  // [dims]
};

}  // namespace scorpio::decomp
