// Divides a range of a row-major array into few boxes. Local; pure.
#pragma once

#include <cstdint>
#include <vector>

namespace scorpio::format::hdf5 {

struct Box {
  std::vector<int64_t> start;   // [dims]
  std::vector<int64_t> counts;  // [dims]
  int64_t elements = 0;
};

// The boxes of the elements [first, first + count) of an array of `dims` (at least one), in ascending order;
// each is contiguous in the array. At most 2 x dims - 1. The range must be inside the array.
std::vector<Box> boxes_of(const std::vector<int64_t>& dims, int64_t first, int64_t count);

}  // namespace scorpio::format::hdf5
