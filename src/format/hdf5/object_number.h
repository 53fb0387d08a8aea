// Identifies objects by the addresses of their headers, which stay the same when they are renamed. Local;
// only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <cstdint>

namespace scorpio::format::hdf5 {

// UINT64_MAX if HDF5 cannot return it.
uint64_t number_of(hid_t object);
// -1 if there is none.
hid_t open_numbered(hid_t file, uint64_t number);

}  // namespace scorpio::format::hdf5
