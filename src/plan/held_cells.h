// The elements that ranks hold, where they are too many intervals for each rank to know: whether a stretch of
// the array (a cell) has some, as one bit for each of equal stretches, whose number is bounded. Local but for
// gather_cells(); thread-safe for readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "comm/group.h"
#include "decomp/coarse_set.h"
#include "decomp/runs.h"

namespace scorpio::plan {

// The most cells of an array (1 MiB).
inline constexpr int64_t k_most_cells = int64_t{1} << 23;

// The number of elements of a cell of an array of `total` elements.
int64_t cell_elements(int64_t total);

class Cells {
 public:
  explicit Cells(int64_t total);

  void add(const decomp::Interval& elements);
  void add(const decomp::StridedRange& range);
  void add(const decomp::RunList& runs);
  // Adds those of another object for the same array; an empty list adds nothing.
  void unite(std::span<const int64_t> words);
  std::span<const int64_t> words() const { return words_; }

  // The first elements in [begin, end) whose cells have some, as far as such cells follow each other; empty
  // if there are none.
  decomp::Interval next(int64_t begin, int64_t end) const;

 private:
  int64_t first_cell(int64_t cell, int64_t end, bool held) const;

  int64_t cell_;
  std::vector<int64_t> words_;  // bits
};

// The cells of an array, or of a window of it whose first element is element 0.
struct HeldCells {
  std::shared_ptr<const Cells> cells;  // null: not known
  int64_t origin = 0;

  size_t kept_bytes() const { return cells == nullptr ? 0 : cells->words().size_bytes(); }
};

// Those of all ranks. Collective; all ranks return the same status. A rank swaps 1 MiB with one other rank
// for each binary digit of the number of ranks. A reduction of the same call precedes it.
Result<HeldCells> gather_cells(const comm::Group& comm, int64_t total, const decomp::RunList& own);

// The intervals in which ranks hold elements: those of a coverage without the cells that have none. They are
// given in parts, because they may be more than fit in memory.
class HeldIntervals {
 public:
  // `coverage` is sorted and disjoint; both outlive this object. Gaps of at most `most_gap` elements are not
  // kept.
  HeldIntervals(std::span<const decomp::Interval> coverage, const HeldCells& cells, int64_t most_gap);

  // At most `most` further ones; empty after the last one.
  std::vector<decomp::Interval> next(size_t most);
  bool any_left() const { return open_.begin < open_.end; }

 private:
  decomp::Interval next_stretch();

  std::span<const decomp::Interval> coverage_;
  const HeldCells& cells_;
  int64_t most_gap_;
  size_t at_ = 0;
  int64_t from_ = 0;  // in coverage_[at_]
  decomp::Interval open_{0, 0};
};

}  // namespace scorpio::plan
