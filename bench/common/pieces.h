// What two blocks of an array have in common, and where it lies in each of them. Local; pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/buffers.h"
#include "common/workload.h"

namespace bench {

inline Box overlap_of(const Box& one, const Box& other) {
  Box both = one;
  for (size_t d = 0; d < one.start.size(); ++d) {
    const int64_t begin = std::max(one.start[d], other.start[d]);
    const int64_t end = std::min(one.start[d] + one.count[d], other.start[d] + other.count[d]);
    both.start[d] = begin;
    both.count[d] = std::max<int64_t>(0, end - begin);
  }
  return both;
}

// Where an element of an array `dims` lies in the image of `outer`.
inline int64_t offset_in(const std::vector<int64_t>& dims, const Box& outer, int64_t global) {
  int64_t offset = 0, scale = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    offset += (global % dims[d] - outer.start[d]) * scale;
    global /= dims[d];
    scale *= outer.count[d];
  }
  return offset;
}

// Calls copy(offset in the image of `inner`, offset in that of `outer`, elements) for each contiguous run.
template <class Copy>
void for_each_piece(const std::vector<int64_t>& dims, const Box& outer, const Box& inner, Copy&& copy) {
  for_each_run(dims, inner, [&](int64_t offset, int64_t global, int64_t run) {
    copy(offset, offset_in(dims, outer, global), run);
  });
}

}  // namespace bench
