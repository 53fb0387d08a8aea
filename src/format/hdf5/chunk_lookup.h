// Looks up one chunk in HDF5's index, of whatever kind that is. Local; only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include "base/result.h"
#include "format/chunk_finder.h"
#include "format/hdf5/image.h"

namespace scorpio::format::hdf5 {

// HDF5 is called to read the chunk as it is stored, and the driver records the address instead of reading. No
// version of HDF5 has a cheaper way: H5Dget_chunk_info() counts the chunks up to the given one. `dataset` is
// in the file on `image`, `start`: [ndims] index of the chunk's first element.
Result<FoundChunk> look_up_chunk(hid_t dataset, Image& image, const hsize_t* start);

}  // namespace scorpio::format::hdf5
