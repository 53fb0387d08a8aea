// Converts extents of the schema to data spaces of HDF5, and back. Local; only the thread that calls SCORPIO.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "format/hdf5/handle.h"

namespace scorpio::format::hdf5 {

struct Shape {
  bool scalar = true;
  std::vector<int64_t> dims;  // slowest first; empty for a scalar
  uint32_t unlimited = 0;     // bit d: dims[d] is unlimited
};

Result<Handle> make_space(const Shape& shape);

// A null space has one extent of 0.
Result<Shape> examine_space(hid_t space);

}  // namespace scorpio::format::hdf5
