// The XDMF description of a file: one uniform grid for each shape, with the datasets of that shape as its
// values. Independent: on the rank that has the HDF5 id of the file.
#pragma once

#include <hdf5.h>

#include <string>

namespace scorpio2012 {

// Writes `path`.xmf, which describes the numeric datasets of 1 to 3 dimensions in the file `path` in the same
// folder.
int write_xdmf(hid_t file, const std::string& path);

}  // namespace scorpio2012
