#include "format/hdf5/open_file.h"

#include <algorithm>
#include <vector>

#include "format/hdf5/driver.h"
#include "format/hdf5/errors.h"
#include "format/hdf5/header_form.h"
#include "format/hdf5/netcdf4_marks.h"

namespace scorpio::format::hdf5 {
namespace {

// HDF5's own default, so that a small file stays small. The driver keeps metadata together (space.h).
constexpr uint64_t k_metadata_block_bytes = 2048;

// HDF5 1.10 cannot read the latest format version of HDF5 1.14, so new files do not use it. Files of other
// programs are opened with any version.
Status set_access(hid_t list, const Image& image) {
  const H5F_libver_t newest = image.created() ? H5F_LIBVER_V18 : H5F_LIBVER_LATEST;
  if (H5Pset_libver_bounds(list, H5F_LIBVER_EARLIEST, newest) < 0 ||
      H5Pset_meta_block_size(list, std::min(image.space().block_bytes(), k_metadata_block_bytes)) < 0) {
    return library_failure(Code::internal, "HDF5 does not accept the access properties");
  }
  return {};
}

std::vector<hid_t> open_files(hid_t where) {
  const ssize_t count = H5Fget_obj_count(where, H5F_OBJ_FILE);
  std::vector<hid_t> ids(static_cast<size_t>(std::max<ssize_t>(count, 0)));
  if (ids.empty()) return ids;
  const ssize_t got = H5Fget_obj_ids(where, H5F_OBJ_FILE, ids.size(), ids.data());
  ids.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return ids;
}

}  // namespace

Status OpenFile::ensure() {
  if (image_->closed()) return failure(Code::state, "{} is closed", image_->name());
  if (image_->opened() > 0 && is_file_on(id_, *image_)) return {};
  if (image_->opened() > 0) return adopt();
  return image_->created() && image_->size() == 0 ? create() : open();
}

Status OpenFile::create() {
  SCORPIO_ASSIGN(const Handle access, make_access_list(image_));
  SCORPIO_TRY(set_access(access.get(), *image_));
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  const Hdf5Options& options = image_->options();
  SCORPIO_TRY(set_group_form(creation.get(), options.netcdf4));
  H5Pset_obj_track_times(creation.get(), false);
  image_->space().start_empty();
  id_ = H5Fcreate(image_->name().c_str(), H5F_ACC_TRUNC, creation.get(), access.get());
  if (id_ < 0) return library_failure(Code::io, "HDF5 cannot create " + image_->name());
  if (image_->space().end() > image_->space().block_bytes()) {
    return failure(Code::argument,
                   "{}: HDF5 needs {} bytes before the data, a block has {}; set option block_bytes to more",
                   image_->name(), image_->space().end(), image_->space().block_bytes());
  }
  if (options.netcdf4) SCORPIO_TRY(mark_netcdf4(id_, options.writer, options.classic_model));
  start();
  return {};
}

Status OpenFile::open() {
  // HDF5 would create a new file in it.
  if (image_->size() == 0) return failure(Code::format, "{} is empty: not an HDF5 file", image_->name());
  SCORPIO_ASSIGN(const Handle access, make_access_list(image_));
  SCORPIO_TRY(set_access(access.get(), *image_));
  id_ = H5Fopen(image_->name().c_str(), image_->writable() ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access.get());
  if (id_ < 0) return library_failure(Code::format, "HDF5 cannot open " + image_->name());
  const Handle creation(H5Fget_create_plist(id_), H5Pclose);
  hsize_t user_block = 0;
  H5Pget_userblock(creation.get(), &user_block);
  image_->set_superblock(user_block);
  size_t address_bytes = 0, length_bytes = 0;
  if (H5Pget_sizes(creation.get(), &address_bytes, &length_bytes) >= 0 && length_bytes == sizeof(uint64_t))
    image_->set_long_lengths();
  // A job that was killed may have left bytes after the end that HDF5 knows.
  image_->space().raise_data_end(image_->size());
  start();
  return {};
}

// The application closed the id, but has the file open by another one.
Status OpenFile::adopt() {
  for (const hid_t other : open_files(static_cast<hid_t>(H5F_OBJ_ALL))) {
    if (!is_file_on(other, *image_)) continue;
    id_ = H5Freopen(other);
    if (id_ >= 0) return {};
  }
  return library_failure(Code::state, "HDF5 has lost its id of " + image_->name());
}

void OpenFile::start() { image_->space().set_tracking(true); }

Status OpenFile::close() {
  if (image_->opened() == 0) return {};
  if (!is_file_on(id_, *image_)) SCORPIO_TRY(adopt());
  bool closed = true;
  // After a failed H5Fclose the id refers to freed memory and must not be used any more.
  for (const hid_t other : open_files(id_)) {
    while (closed && other != id_ && is_file_on(other, *image_)) closed = H5Fclose(other) >= 0;
  }
  while (closed && image_->opened() > 0 && is_file_on(id_, *image_)) closed = H5Fclose(id_) >= 0;
  id_ = -1;
  return closed ? Status() : library_failure(Code::io, "HDF5 cannot close");
}

}  // namespace scorpio::format::hdf5
