// Numbers the points of a grid that can grow in several dimensions. The grid is divided into blocks: along
// each dimension a block has the index 0, or the indices from one power of two to the next. Blocks follow
// each other by the sum of the binary digits of their indices, so that a block comes after all blocks inside
// its extents: growth adds shells around the old grid, and the number of a point depends on its indices
// alone. No history of the grid is needed, and ranks agree on the numbers without a message. With one
// dimension the number of a point is its index. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace scorpio::decomp {

class Shells {
 public:
  static constexpr size_t k_most_dims = 8;
  // Numbers are smaller than this.
  static constexpr int64_t k_most = int64_t{1} << 62;

  // `dims`: 1 to k_most_dims.
  explicit Shells(size_t dims) : dims_(dims) {}

  // `point`: [dims] indices of 0 or more. None if the number would be too large.
  std::optional<int64_t> number(std::span<const int64_t> point) const;
  // The inverse: `point` [dims] is set. `number` is that of a point.
  void point(int64_t number, std::span<int64_t> point) const;
  // One past the largest number of the points of a grid of these extents [dims]: that of the last point, plus
  // one. Beyond the points of the grid these are numbers of other points too, less than about a factor of
  // log2(number) for each further dimension. None if it would be too large.
  std::optional<int64_t> end(std::span<const int64_t> extents) const;

 private:
  size_t dims_;
};

}  // namespace scorpio::decomp
