// The part of one rank in a global array, as the user described it. Local and pure; plan::survey determines
// the elements that all ranks hold together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "decomp/array_extents.h"
#include "decomp/runs.h"

namespace scorpio::decomp {

struct LocalPart {
  std::vector<int64_t>
      dims;  // [ndims] extents of the global array, slowest first; product() does not overflow
  std::vector<int64_t> shape;  // extents of the user's buffer, slowest first; for a map its length
  int64_t local_elements = 0;  // length of the user's buffer with its holes: the product of `shape`
  RunList runs;                // the elements of the buffer; the same element may occur twice
  bool box = false;  // a block that `start` and `count` describe completely (used for fast overlap tests)
  std::vector<int64_t> start;  // [ndims] if `box`
  std::vector<int64_t> count;  // [ndims] if `box`
};

// A block: start, count [ndims], zero-based, row-major buffer. A count of 0 in any dimension means no data
// and is valid.
Result<LocalPart> block(std::span<const int64_t> dims, std::span<const int64_t> start,
                        std::span<const int64_t> count);

// Equal shares of the slowest dimension: rank r of n holds dims[0]/n rows, the first dims[0] mod n one more.
Result<LocalPart> uniform(std::span<const int64_t> dims, int rank, int ranks);

// `rows` rows of the slowest dimension, from row `first_row` (the caller knows the sum of the lower ranks'
// rows).
Result<LocalPart> rows(std::span<const int64_t> dims, int64_t first_row, int64_t rows);

// A hyperslab as in HDF5: `count` blocks of `block` elements at distances of `stride` in each dimension.
// stride and block may be empty (= 1 everywhere). The buffer is row-major over count * block.
Result<LocalPart> strided(std::span<const int64_t> dims, std::span<const int64_t> start,
                          std::span<const int64_t> stride, std::span<const int64_t> count,
                          std::span<const int64_t> block);

// A map: buffer element i is global element index[i] (row-major, zero-based); -1 is a hole (not read or
// written). The same index may occur twice: in a put the later buffer element is written.
Result<LocalPart> map(std::span<const int64_t> dims, std::span<const int64_t> index);

// A part of the map of any part, from buffer element `first` on: the reverse of map().
void copy_index(const LocalPart& part, int64_t first, std::span<int64_t> index);

}  // namespace scorpio::decomp
