// Extends the data sets of a file to the length that unlimited dimensions have in the model. Local; the
// thread that calls SCORPIO alone.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <map>

#include "base/result.h"
#include "format/hdf5/dimension_table.h"
#include "model/schema.h"

namespace scorpio::format::hdf5 {

class Growth {
 public:
  // Variables whose records are written here, and the scales that stand for their dimensions alone. What was
  // extended before is not opened again.
  Status extend(hid_t file, const model::Schema& schema, const DimensionTable& dimensions);

 private:
  std::map<int, int64_t> variables_;   // length of the first dimension, by index
  std::map<int, int64_t> dimensions_;  // of the scale
};

}  // namespace scorpio::format::hdf5
