#include "session/chunked_file.h"

#include <hdf5.h>

#include <numeric>

#include "session/parts.h"

namespace scorpio::test {

namespace {

// On the metadata rank, as a client of the live id does.
void make_set(hid_t file, const char* name, int64_t extent, bool chunked) {
  std::vector<int> values(static_cast<size_t>(extent));
  std::iota(values.begin(), values.end(), 0);
  const auto dim = static_cast<hsize_t>(extent);
  const hid_t space = H5Screate_simple(1, &dim, nullptr), how = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = 16;
  if (chunked) H5Pset_chunk(how, 1, &chunk), H5Pset_nbit(how);  // a filter that only HDF5 has
  const hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, how, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(set);
  H5Pclose(how);
  H5Sclose(space);
}

}  // namespace

void make_chunked_file(ThreadSystem& system, int64_t extent, const std::string& path) {
  const auto file = created<WithSyncPoint>(system, options("hdf5", {{"eager", "true"}}), path);
  const Result<int64_t> id = file->library_client.library_id();
  EXPECT_TRUE(id.ok()) << id.status().text();
  if (file->core->metadata != nullptr) {
    make_set(static_cast<hid_t>(*id), "chunked", extent, true);
    make_set(static_cast<hid_t>(*id), "plain", extent, false);
  }
  const Status closed = file->sync_point.close();
  EXPECT_TRUE(closed.ok()) << closed.text();
}

}  // namespace scorpio::test
