// Decompositions of the first part of an array: along each dimension they have its first elements. Programs
// use them for variables that are longer than what they write or read at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pio/decompositions/layout.h"
#include "pio/file/write.h"

namespace scorpio_pio {

// Whether an array of `extents`, without leading extents of 1, is a first part of one of `array`. Local.
bool is_first_part(std::span<const int64_t> extents, std::span<const int64_t> array);

// The native decomposition of a layout's elements in an array of which that of the layout is a first part. It
// belongs to the layout. What takes memory comes before the ranks agree that they make it.
class PartOfArray {
 public:
  PartOfArray(Layout& layout, const std::vector<int64_t>& array);

  // Collective. Returns 0 or a code, the same on all ranks.
  int decomposition(const IoSystem& system, scorpio_decomp*& decomp);

 private:
  using InArrays = decltype(Layout::in_arrays);

  Layout& layout_;
  std::vector<int64_t> array_;
  std::vector<int64_t> map_;  // empty if the layout has the decomposition
  InArrays entry_;
};

// A write whose `array` is not empty. As with other writes, elements of the layout's array that no rank holds
// get the fill value; those after it keep their values.
class PutOfPart {
 public:
  explicit PutOfPart(const Write& write);

  // Collective.
  int carry_out(scorpio_file* file, const IoSystem& system, const Write& write);

 private:
  PartOfArray part_;
  // Row by row, one row of fill values.
  std::vector<std::byte> row_;
  std::vector<int64_t> start_, count_, map_;
};

}  // namespace scorpio_pio
