// HDF5's cache gives up what is in the file, keeps its configuration, and finds everything again.
#include "format/hdf5/metadata_cache.h"

#include <array>

#include "support.h"

namespace scorpio::format::test {
namespace {

constexpr size_t k_kept_bytes = size_t{64} << 10;

size_t cached_bytes(hid_t file) {
  size_t now = 0;
  EXPECT_LE(0, H5Fget_mdc_size(file, nullptr, nullptr, &now, nullptr));
  return now;
}

H5AC_cache_config_t config_of(hid_t file) {
  H5AC_cache_config_t config{};
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  EXPECT_LE(0, H5Fget_mdc_config(file, &config));
  return config;
}

class MetadataCache : public Hdf5Test {
 protected:
  void SetUp() override {
    file_ = H5Fcreate((folder_ / "a.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t chunk = 1;
    const hid_t space = H5Screate_simple(1, &k_chunks, nullptr), form = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(form, 1, &chunk);
    set_ = H5Dcreate2(file_, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, form, H5P_DEFAULT);
    H5Pclose(form);
    H5Sclose(space);
  }
  void TearDown() override {
    EXPECT_LE(0, H5Dclose(set_));
    EXPECT_LE(0, H5Fclose(file_));
  }
  void write(hsize_t begin, hsize_t end) const {
    for (hsize_t i = begin; i < end; ++i) {
      const int value = static_cast<int>(3 * i);
      ASSERT_LE(0, H5Dwrite_chunk(set_, H5P_DEFAULT, 0, &i, sizeof value, &value));
    }
    ASSERT_LE(0, H5Fflush(file_, H5F_SCOPE_GLOBAL));
  }

  static constexpr hsize_t k_chunks = 10000;
  hid_t file_ = -1, set_ = -1;
};

TEST_F(MetadataCache, IsMadeSmaller) {
  write(0, k_chunks / 2);
  const H5AC_cache_config_t before = config_of(file_);
  EXPECT_LT(2 * k_kept_bytes, cached_bytes(file_));
  expect_ok(hdf5::shrink_cache(file_, k_kept_bytes));
  EXPECT_GE(k_kept_bytes, cached_bytes(file_));
  const H5AC_cache_config_t after = config_of(file_);
  EXPECT_EQ(before.min_size, after.min_size);
  EXPECT_EQ(before.max_size, after.max_size);
  EXPECT_EQ(before.incr_mode, after.incr_mode);
  EXPECT_EQ(before.flash_incr_mode, after.flash_incr_mode);
  EXPECT_EQ(before.decr_mode, after.decr_mode);
  write(k_chunks / 2, k_chunks);
  EXPECT_LT(2 * k_kept_bytes, cached_bytes(file_)) << "it may grow again";
  expect_ok(hdf5::shrink_cache(file_, k_kept_bytes));
  std::vector<int> values(k_chunks);
  EXPECT_LE(0, H5Dread(set_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(static_cast<int>(3 * i), values[i]);
}

TEST_F(MetadataCache, ThatIsSmallStays) {
  write(0, 100);
  const size_t before = cached_bytes(file_);
  EXPECT_GE(k_kept_bytes, before);
  expect_ok(hdf5::shrink_cache(file_, k_kept_bytes));
  EXPECT_EQ(before, cached_bytes(file_));
}

TEST_F(MetadataCache, NoFile) { EXPECT_FALSE(hdf5::shrink_cache(H5I_INVALID_HID, k_kept_bytes).ok()); }

}  // namespace
}  // namespace scorpio::format::test
