// HDF5's cache of the metadata of a file. Local; only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <cstddef>

#include "base/result.h"

namespace scorpio::format::hdf5 {

// Releases what the cache holds beyond `most_bytes`, as HDF5 counts them, if all of it is in the file. In
// memory they are more: a node of the index of chunks has 272 bytes for each chunk, and is counted with the
// 40 that it has in the file.
Status shrink_cache(hid_t file, size_t most_bytes);

}  // namespace scorpio::format::hdf5
