// The position of a rank's buffer in a larger local array, with ghost cells around the elements or other
// values between them. Local; pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decomp/local_part.h"

namespace scorpio::decomp {

// Along dimension d the element with index i of the buffer has index start[d] + i * stride[d] in the array.
struct MemoryLayout {
  std::vector<int64_t> extents;  // [ndims] extents of the array, which is row-major
  std::vector<int64_t> start;    // [ndims]
  std::vector<int64_t> stride;   // [ndims]
};

// The part whose buffer is replaced by the array of the layout. The array has a shape of its own, so that
// placed() can be applied again. A part without elements fits into every array. Code::shape if the number of
// dimensions differs from that of the buffer, or an element would be outside the array; Code::argument for
// invalid values; Code::limit if the array has too many elements.
Result<LocalPart> placed(const LocalPart& part, const MemoryLayout& layout);

// The same for a list of elements of a buffer of this shape [ndims], which fits into the layout.
RunList placed(const RunList& list, std::span<const int64_t> shape, const MemoryLayout& layout);

}  // namespace scorpio::decomp
