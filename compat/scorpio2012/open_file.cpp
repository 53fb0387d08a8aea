#include "open_file.h"

#include <algorithm>
#include <utility>

#include "failure.h"
#include "quiet_hdf5.h"
#include "xdmf.h"

namespace scorpio2012 {

namespace {

bool is_group(hid_t id) { return H5Iis_valid(id) > 0 && H5Iget_type(id) == H5I_GROUP; }

// An HDF5 id of an earlier state of the file does not show the group. Applications use the id to find it; on
// I/O roots other than the first the group is therefore also created in the earlier state, which exists in
// memory only.
void make_visible(hid_t earlier, const std::string& path) {
  const hid_t file = H5Iget_file_id(earlier);
  hid_t group = H5Gopen2(file, path.c_str(), H5P_DEFAULT);
  if (group < 0) {
    const hid_t with_parents = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(with_parents, 1);
    group = H5Gcreate2(file, path.c_str(), with_parents, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(with_parents);
  }
  if (group >= 0) H5Gclose(group);
  H5Fclose(file);
}

}  // namespace

int OpenFile::refresh() {
  if (kind_.several_roots && scorpio_file_mirror(native_) != SCORPIO_OK) return fail_natively();
  if (client_ == nullptr || finished_) return 0;
  int64_t id = -1;
  if (scorpio_file_hdf5_id(native_, &id) != SCORPIO_OK) return fail_natively_alone();
  client_->fid = static_cast<hid_t>(id);
  return 0;
}

// The structure that the application sees on this rank; the description is written while the id is valid.
int OpenFile::end_client() {
  if (client_ == nullptr || finished_) return 0;
  const QuietHdf5 quiet;
  int code = 0;
  if (kind_.xdmf && kind_.writable) code = write_xdmf(client_->fid, path_);
  if (code != 0) fail("the description " + path_ + ".xmf cannot be written");
  for (const hid_t id : std::exchange(lent_, {})) {
    if (is_group(id)) H5Gclose(id);
  }
  client_->fid = -1;
  return code;
}

int OpenFile::finish() {
  if (finished_) return fail("the file is closed already");
  const int described = end_client();
  finished_ = true;
  current_ = 0;
  if (native_ == nullptr) return fail("the file could not be opened once more");
  return scorpio_file_finish(native_) == SCORPIO_OK ? described : fail_natively_alone();
}

int OpenFile::close() {
  const int described = end_client();
  finished_ = true;
  return scorpio_file_close(std::exchange(native_, nullptr)) == SCORPIO_OK ? described : fail_natively();
}

int OpenFile::reopen(scorpio_iosystem* system) {
  finished_ = false;
  reopened_ = true;
  if (scorpio_file_close(std::exchange(native_, nullptr)) != SCORPIO_OK) return fail_natively();
  if (scorpio_file_open(system, path_.c_str(), SCORPIO_WRITE, nullptr, &native_) != SCORPIO_OK)
    return fail_natively();
  return refresh();
}

int OpenFile::enter_group(const std::string& path) {
  const auto at = std::find(groups_.begin(), groups_.end(), path);
  current_ = static_cast<int>(at - groups_.begin()) + 1;
  if (at == groups_.end()) groups_.push_back(path);
  agreed_ = current_;
  return current_;
}

bool OpenFile::knows_group(int number) const {
  return number > 0 && number <= static_cast<int>(groups_.size());
}

std::string OpenFile::resolve(const char* name, int group) const {
  if (*name == '/' || !knows_group(group)) return absolute_path(name);
  return absolute_path(groups_[static_cast<size_t>(group) - 1] + "/" + name);
}

hid_t OpenFile::lend_group(const std::string& path) {
  if (client_ == nullptr) return 0;
  const QuietHdf5 quiet;
  const hid_t id = H5Gopen2(client_->fid, path.c_str(), H5P_DEFAULT);
  for (const hid_t earlier : lent_) {
    if (is_group(earlier)) make_visible(earlier, path);
  }
  if (id >= 0) lent_.push_back(id);
  return id < 0 ? fail("HDF5 cannot open the group " + path) : id;
}

int OpenFile::take_back_group(hid_t id) {
  if (client_ == nullptr) return 0;
  const auto at = std::find(lent_.begin(), lent_.end(), id);
  if (at == lent_.end())
    return fail("the id is not one that create_dataset_group returned, or it was closed");
  lent_.erase(at);
  const QuietHdf5 quiet;
  if (!is_group(id) && reopened_) return 0;
  return is_group(id) && H5Gclose(id) >= 0
             ? 0
             : fail("the HDF5 id of the group is not valid any more; the program closed it");
}

}  // namespace scorpio2012
