// The place of a rank's buffer in a larger local array, which has ghost cells around the elements or other
// values between them. Local; pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decomp/local_part.h"

namespace scorpio::decomp {

// Along dimension d the element with index i of the buffer has index start[d] + i * stride[d] in the array.
struct MemoryLayout {
  std::vector<int64_t> extents;  // [ndims] of the array, which is row-major
  std::vector<int64_t> start;    // [ndims]
  std::vector<int64_t> stride;   // [ndims]
};

// The part with its buffer replaced by the array of the layout. The array has a shape of its own, so that it
// can be placed in turn. A part without elements fits every array. Code::shape when the number of dimensions
// is not that of the buffer, or an element would lie outside of the array; Code::argument for values that no
// layout can have; Code::limit when the array has too many elements.
Result<LocalPart> placed(const LocalPart& part, const MemoryLayout& layout);

// The same for any list of elements of a buffer of this shape [ndims] that fits the layout.
RunList placed(const RunList& list, std::span<const int64_t> shape, const MemoryLayout& layout);

}  // namespace scorpio::decomp
