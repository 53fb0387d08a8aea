// The list of formats with a line more for each of the toy's, in place of the library's own
// (src/format/formats.cpp).
#include <array>

#include "format/cdf/cdf_format.h"
#include "format/hdf5/hdf5_format.h"
#include "format/registry.h"
#include "format/toy/toy_format.h"

namespace scorpio::format {

std::span<const Format* const> formats() {
  static const auto k_formats = std::to_array<const Format*>({
      &cdf_format(cdf::Version::cdf1),
      &cdf_format(cdf::Version::cdf2),
      &cdf_format(cdf::Version::cdf5),
      &toy_format(),
      &toy_large_format(),
      &hdf5_format(),
  });
  return k_formats;
}

}  // namespace scorpio::format
