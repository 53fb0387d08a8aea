// Space of data that HDF5 has freed: held by the chunks of a data set without a name, so that HDF5 does not
// give it to new data. Those have addresses that the address book computed, and may be there already. Local;
// only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include "base/result.h"
#include "format/hdf5/handle.h"
#include "format/hdf5/image.h"

namespace scorpio::format::hdf5 {

class HeldSpace {
 public:
  // Holds all space that the file has for data now, as long as the object exists. Then HDF5 frees it again,
  // together with the data set. Nothing is written to it.
  Status take(hid_t file, Image& image);

 private:
  Status hold(hsize_t index, hsize_t bytes);

  Handle holder_;
};

}  // namespace scorpio::format::hdf5
