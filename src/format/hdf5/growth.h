// Extends data sets. Local; only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <span>

#include "base/result.h"
#include "format/hdf5/dimension_table.h"
#include "model/dimensions.h"

namespace scorpio::format::hdf5 {

// A data set is never shortened.
Status extend_first(hid_t dataset, int64_t extent);
// The same for all dimensions; `extents`: [ndims].
Status extend(hid_t dataset, std::span<const int64_t> extents);

// Extends the scales of unlimited dimensions, coordinate variables included, to the length that the
// dimensions have in the schema. Other variables keep the length up to which they were put, as with netCDF-C.
Status extend_scales(hid_t file, const model::Dimensions& dimensions, DimensionTable& table);

}  // namespace scorpio::format::hdf5
