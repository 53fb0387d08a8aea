// HDF5 files that rank 0 makes with stock HDF5, in process, for the tests of what other programs store.
// Collective over MPI_COMM_WORLD.
#pragma once

#include <hdf5.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "layout.h"

namespace scorpio::api_test {

// Rank 0 makes a file with stock HDF5, then all ranks open it.
class ForeignFile : public testing::Test {
 protected:
  explicit ForeignFile(const Settings& settings = {{"staging_bytes", "1MiB"}}) : system_(settings) {}

  void make(const std::function<void(hid_t)>& contents) {
    if (rank_in() == 0) {
      const hid_t file = H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
      ASSERT_GE(file, 0);
      contents(file);
      ASSERT_GE(H5Fclose(file), 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  void open(scorpio_open_mode mode = SCORPIO_READ) {
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), mode, nullptr, &file_));
  }
  int find(const std::string& name) {
    int variable = -1;
    EXPECT_SUCCESS(scorpio_variable_find(file_, name.c_str(), &variable));
    return variable;
  }
  void close() { EXPECT_SUCCESS(scorpio_file_close(file_)); }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "foreign.h5";
  const System system_;
  scorpio_file* file_ = nullptr;
};

inline const Extents k_dims = {12, 10};
inline constexpr int k_elements = 120;

inline std::vector<double> ramp() {
  std::vector<double> values(k_elements);
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

// `form`: a list of creation properties, or H5P_DEFAULT.
inline void write(hid_t file, const std::string& name, hid_t type, hid_t form,
                  const std::vector<double>& values = ramp()) {
  const hsize_t dims[] = {12, 10};
  const hid_t space = H5Screate_simple(2, dims, nullptr);
  const hid_t dataset = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, form, H5P_DEFAULT);
  EXPECT_GE(dataset, 0) << name;
  EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
  H5Dclose(dataset);
  H5Sclose(space);
}

inline void set_chunk(hid_t form) {
  const hsize_t chunk[] = {5, 4};
  H5Pset_chunk(form, 2, chunk);
}

}  // namespace scorpio::api_test
