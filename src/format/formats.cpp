// The formats of the library, each in one line.
#include <array>

#include "format/cdf/cdf_format.h"
#include "format/hdf5/hdf5_format.h"
#include "format/registry.h"

namespace scorpio::format {

std::span<const Format* const> library_formats() {
  static const auto k_formats = std::to_array<const Format*>({
      &cdf_format(cdf::Version::cdf1),
      &cdf_format(cdf::Version::cdf2),
      &cdf_format(cdf::Version::cdf5),
      &netcdf4_format(),
      &hdf5_format(),
  });
  return k_formats;
}

}  // namespace scorpio::format
