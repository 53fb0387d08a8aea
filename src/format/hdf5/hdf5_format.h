// HDF5 as the registry has it. Local; pure.
#pragma once

#include "format/format.h"

namespace scorpio::format {

const Format& hdf5_format();
// The same with what netCDF-C expects of files that it continues.
const Format& netcdf4_format();

}  // namespace scorpio::format
