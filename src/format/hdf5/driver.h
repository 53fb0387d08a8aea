// An HDF5 virtual file driver that accesses an Image. Local; only the thread that calls SCORPIO.
#pragma once

#include <memory>

#include "base/result.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/image.h"

namespace scorpio::format::hdf5 {

// A file access property list with which HDF5 opens `image` under any of its names; other names (of virtual
// data sets, external links) are opened as files of their own. The driver is registered once, and again after
// an application has called H5close.
Result<Handle> make_access_list(const std::shared_ptr<Image>& image);

// Whether `id` is an open HDF5 file on `image`; false for ids that are closed or belong to other files.
bool is_file_on(hid_t id, Image& image);

}  // namespace scorpio::format::hdf5
