// One chunk in HDF5's index of them, whatever its form. Local; the thread that calls SCORPIO alone.
#pragma once

#include <hdf5.h>

#include "base/result.h"
#include "format/chunk_finder.h"
#include "format/hdf5/image.h"

namespace scorpio::format::hdf5 {

// HDF5 is asked to read the chunk as it is stored, and the driver notes the place in place of reading it. No
// version of HDF5 tells it at less cost: H5Dget_chunk_info() counts the chunks up to the one that is asked
// for. `dataset` lies in the file on `image`, `start`: [ndims] index of the chunk's first element.
Result<FoundChunk> look_up_chunk(hid_t dataset, Image& image, const hsize_t* start);

}  // namespace scorpio::format::hdf5
