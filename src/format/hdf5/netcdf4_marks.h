// The attributes of the root group by which netCDF-C recognises a netCDF-4 file and its writer. Local; only
// the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <string>

#include "base/result.h"
#include "model/attribute.h"

namespace scorpio::format::hdf5 {

// Writes them to a new file. `writer`: "name=version". `classic_model`: later definitions by netCDF-C must
// follow the classic model.
Status mark_netcdf4(hid_t file, const std::string& writer, bool classic_model);

// What a file says of itself, as netCDF-C takes it.
struct Netcdf4Marks {
  bool netcdf4 = false;
  bool classic_model = false;
};

// `of_root`: attributes of the root group. `has_ids`: some data set has an id of the netCDF-4 format, as also
// those of our HDF5 files do. Programs that did not name themselves have the members of groups indexed by
// their order.
Netcdf4Marks marks_of(hid_t file, const model::Attributes& of_root, bool has_ids);

}  // namespace scorpio::format::hdf5
