// Extents of the model and data spaces of HDF5, both ways. Local; the thread that calls SCORPIO alone.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "format/hdf5/handle.h"

namespace scorpio::format::hdf5 {

struct Shape {
  bool scalar = true;
  std::vector<int64_t> dims;  // slowest first; empty when scalar
  bool grows = false;         // the first one is unlimited; what is examined does not say
};

Result<Handle> make_space(const Shape& shape);

// A null space, which holds nothing, reads as one of no elements.
Result<Shape> examine_space(hid_t space);

}  // namespace scorpio::format::hdf5
