// The HDF5 formats as entries of the registry. Local; pure.
#pragma once

#include "format/format.h"

namespace scorpio::format {

const Format& hdf5_format();
// HDF5 files with the conventions that netCDF-C needs to continue them.
const Format& netcdf4_format();

}  // namespace scorpio::format
