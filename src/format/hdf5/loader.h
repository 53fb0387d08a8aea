// Reads HDF5 objects into the file model. Local; the thread that calls SCORPIO alone.
#pragma once

#include <hdf5.h>

#include <string>

#include "base/result.h"
#include "format/contents.h"
#include "format/hdf5/dimension_reader.h"
#include "format/hdf5/dimension_table.h"

namespace scorpio::format::hdf5 {

// Loads all objects of the file; nothing is pending. An object with several hard links is a variable under
// each of its names; a group has its members only under the first name that is found, so that cycles end.
// `dimensions` is output. The contents name the format netcdf4 if the file follows it. `growing`:
// these variables have records; others have the extents of the file, which a client of the live id may
// change.
Result<Contents> load_contents(hid_t file, DimensionTable& dimensions, Growing growing);

// Loads the single object at `path`; soft links are followed, and a link whose target does not exist is
// loaded as a link. The dimensions of a variable are those of the file's schema, to which `dimensions`
// belongs.
Result<Contents> load_object(hid_t file, const std::string& path, const DimensionTable& dimensions);

}  // namespace scorpio::format::hdf5
