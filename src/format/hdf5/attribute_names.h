// Attributes that get another name in the file. Local; one thread.
#pragma once

#include "format/hdf5/handle.h"

namespace scorpio::format::hdf5 {

// Renames an attribute of the object at `path`; negative if HDF5 failed. HDF5 loses the renamed attribute
// from the index of the order of creation where the object holds its attributes in a heap: there the
// attribute is copied, with its type, and becomes the last one in this order.
herr_t rename_attribute(hid_t file, const char* path, const char* name, const char* new_name);

}  // namespace scorpio::format::hdf5
