#include "format/hdf5/metadata_cache.h"

#include <algorithm>

#include "format/hdf5/errors.h"

namespace scorpio::format::hdf5 {

namespace {

H5AC_cache_config_t config_of(hid_t file) {
  H5AC_cache_config_t config{};
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  if (H5Fget_mdc_config(file, &config) < 0) config.version = 0;
  return config;
}

}  // namespace

// HDF5 releases entries when it next uses one after the cache has become smaller.
Status shrink_cache(hid_t file, size_t most_bytes) {
  size_t limit = 0, now = 0;
  int entries = 0;
  H5AC_cache_config_t usual = config_of(file);
  if (usual.version == 0 || H5Fget_mdc_size(file, &limit, nullptr, &now, &entries) < 0)
    return library_failure(Code::internal, "HDF5 does not tell the size of its cache");
  if (now <= most_bytes) return {};
  H5AC_cache_config_t small = usual;
  small.set_initial_size = true;
  small.initial_size = small.min_size = small.max_size = most_bytes;
  small.incr_mode = H5C_incr__off;
  small.flash_incr_mode = H5C_flash_incr__off;
  small.decr_mode = H5C_decr__off;
  usual.set_initial_size = true;
  usual.initial_size = std::clamp(limit, usual.min_size, usual.max_size);
  H5G_info_t root;
  const bool done = H5Fset_mdc_config(file, &small) >= 0 && H5Gget_info(file, &root) >= 0 &&
                    H5Fset_mdc_config(file, &usual) >= 0;
  return done ? Status() : library_failure(Code::internal, "HDF5 does not make its cache smaller");
}

}  // namespace scorpio::format::hdf5
