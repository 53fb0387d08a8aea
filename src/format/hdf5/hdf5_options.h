// The parameters of the metadata of an HDF5 file that other formats do not have. Local; pure.
#pragma once

#include "format/metadata_file.h"

namespace scorpio::format {

struct Hdf5Options : MetadataOptions {
  // Objects are created in the file when they are defined, because the application uses the id of the file.
  // HDF5's lock stays held while the file is open, so that a second H5Fopen by the application is refused.
  bool eager = false;
  bool terminated_text = false;  // texts of variables are terminated by NUL instead of padded with it
  bool netcdf4 = false;          // a new file has the conventions of netCDF-C ...
  bool classic_model = false;    // ... for the classic model
};

}  // namespace scorpio::format
