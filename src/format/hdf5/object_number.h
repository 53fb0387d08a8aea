// Objects by the place of their headers, which stays when they are renamed. Local; the thread that calls
// SCORPIO alone.
#pragma once

#include <hdf5.h>

#include <cstdint>

namespace scorpio::format::hdf5 {

// UINT64_MAX where HDF5 cannot say.
uint64_t number_of(hid_t object);
// -1 where there is none.
hid_t open_numbered(hid_t file, uint64_t number);

}  // namespace scorpio::format::hdf5
