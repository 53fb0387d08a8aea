// The form of the object headers that are written. Local; only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include "base/status.h"

namespace scorpio::format::hdf5 {

// Attributes of 64 KiB or more need the object headers of HDF5 1.8, which also record the order of creation.
// If an object has more than 8 attributes, HDF5 moves them from its header to a heap. Another number would be
// recorded in the header, and pyfive does not read such objects.
// Also for the creation list of the file, that is, of its root group. `indexed`: with an index of this order,
// as netCDF-C has.
Status set_header_form(hid_t creation_list, bool indexed);
// The same for a group.
Status set_group_form(hid_t creation_list, bool indexed);

// Whether an object that is open has a header of the form before HDF5 1.8.
bool has_old_header(hid_t object);

}  // namespace scorpio::format::hdf5
