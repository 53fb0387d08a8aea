// The attributes of the root group by which netCDF-C recognises a netCDF-4 file and its writer. Local; only
// the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <string>

#include "base/result.h"

namespace scorpio::format::hdf5 {

// Writes them to a new file. `writer`: "name=version". `classic_model`: later definitions by netCDF-C must
// follow the classic model.
Status mark_netcdf4(hid_t file, const std::string& writer, bool classic_model);

}  // namespace scorpio::format::hdf5
