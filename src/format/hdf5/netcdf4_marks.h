// What tells netCDF-C that a file is one of netCDF-4, and what wrote it. Local; the thread that calls SCORPIO
// alone.
#pragma once

#include <hdf5.h>

#include <string>

#include "base/result.h"

namespace scorpio::format::hdf5 {

// Of a new file. `writer`: "name=version". `classic_model`: whoever defines more in it keeps to the classic
// model.
Status mark_netcdf4(hid_t file, const std::string& writer, bool classic_model);

}  // namespace scorpio::format::hdf5
