// Reads HDF5 objects into the file model. Local; the thread that calls SCORPIO alone.
#pragma once

#include <hdf5.h>

#include <string>

#include "base/result.h"
#include "format/contents.h"
#include "format/hdf5/dimension_table.h"

namespace scorpio::format::hdf5 {

// Everything below the root; nothing of it is pending. An object with several hard links is a variable under
// each of its names; a group keeps its members under the first name it is met by, so that cycles end.
// `dimensions`: out.
Result<Contents> load_contents(hid_t file, DimensionTable& dimensions);

// The single object at `path`, also through soft links; a link whose target does not exist is a link. The
// variable's dimensions are those of the file's model, which `dimensions` belongs to.
Result<Contents> load_object(hid_t file, const std::string& path, const DimensionTable& dimensions);

}  // namespace scorpio::format::hdf5
