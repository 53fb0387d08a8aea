#include "format/hdf5/row_major_boxes.h"

#include <algorithm>

namespace scorpio::format::hdf5 {
namespace {

// The number of elements between neighbours in each dimension.
std::vector<int64_t> strides_of(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t d = dims.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * dims[d];
  return strides;
}

}  // namespace

std::vector<Box> boxes_of(const std::vector<int64_t>& dims, int64_t first, int64_t count) {
  const std::vector<int64_t> strides = strides_of(dims);
  std::vector<Box> boxes;
  while (count > 0) {
    // The slowest dimension in which a whole index begins here.
    size_t outer = 0;
    while (first % strides[outer] != 0 || count < strides[outer]) ++outer;
    Box box{.start = std::vector<int64_t>(dims.size()), .counts = std::vector<int64_t>(dims.size(), 1)};
    for (size_t d = 0; d < dims.size(); ++d) {
      box.start[d] = first / strides[d] % dims[d];
      if (d > outer) box.counts[d] = dims[d];
    }
    box.counts[outer] = std::min(count / strides[outer], dims[outer] - box.start[outer]);
    box.elements = box.counts[outer] * strides[outer];
    first += box.elements;
    count -= box.elements;
    boxes.push_back(std::move(box));
  }
  return boxes;
}

}  // namespace scorpio::format::hdf5
