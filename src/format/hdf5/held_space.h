// Space of data that HDF5 has freed: held by data sets without a name, so that HDF5 does not give it to new
// data. Those have addresses that the address book computed, and may be there already. Local; only the thread
// that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <vector>

#include "base/result.h"
#include "format/hdf5/handle.h"

namespace scorpio::format::hdf5 {

class HeldSpace {
 public:
  HeldSpace() = default;
  ~HeldSpace() { release(); }
  HeldSpace(const HeldSpace&) = delete;
  HeldSpace& operator=(const HeldSpace&) = delete;

  // Holds all space that the file has for data now. HDF5 frees it again in release(), together with the data
  // sets.
  Status take(hid_t file);
  void release() { holders_.clear(); }

 private:
  Status hold(hid_t file, hid_t form, hsize_t bytes);

  std::vector<Handle> holders_;
};

}  // namespace scorpio::format::hdf5
