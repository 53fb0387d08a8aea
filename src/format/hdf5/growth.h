// Extends the data sets of a file to the length that unlimited dimensions have in the schema. Local; only the
// thread that calls SCORPIO.
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
  // Extends variables with records, and the scales of their dimensions. Data sets that have the length
  // already are not opened again.
  Status extend(hid_t file, const model::Schema& schema, const DimensionTable& dimensions);

 private:
  std::map<int, int64_t> variables_;   // length of the first dimension, by variable
  std::map<int, int64_t> dimensions_;  // length of the scale, by dimension
};

}  // namespace scorpio::format::hdf5
