// HDF5's virtual file driver over an Image. Local; the thread that calls SCORPIO alone.
#pragma once

#include <memory>

#include "base/result.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/image.h"

namespace scorpio::format::hdf5 {

// A file access property list with which HDF5 opens `image`, whatever name of it is given; other names (of
// virtual data sets, external links) are files of their own. The driver is registered once; again after a
// client's H5close.
Result<Handle> make_access_list(const std::shared_ptr<Image>& image);

// Whether `id` is an open file of HDF5 on `image`; false for ids that are closed or belong to other files.
bool is_file_on(hid_t id, Image& image);

}  // namespace scorpio::format::hdf5
