#include "format/registry.h"

#include <algorithm>
#include <array>

#include "format/cdf/cdf_format.h"
#include "format/hdf5/hdf5_format.h"

namespace scorpio::format {

std::span<const Format* const> formats() {
  static const std::array k_formats = {&cdf_format(cdf::Version::cdf1), &cdf_format(cdf::Version::cdf2),
                                       &cdf_format(cdf::Version::cdf5), &hdf5_format()};
  return k_formats;
}

namespace {

template <typename Fits>
const Format& first_that(Fits&& fits) {
  const auto all = formats();
  const auto found = std::find_if(all.begin(), all.end(), fits);
  return found == all.end() ? *all.back() : **found;
}

}  // namespace

const Format& format_named(std::string_view name) {
  return first_that([name](const Format* format) { return format->capabilities().name == name; });
}

const Format& format_numbered(uint64_t number) {
  return first_that([number](const Format* format) { return format->capabilities().number == number; });
}

const Format& detect(std::span<const std::byte> first_bytes) {
  return first_that([first_bytes](const Format* format) { return format->detect(first_bytes); });
}

Status start_libraries() {
  for (const Format* format : formats()) SCORPIO_TRY(format->start());
  return {};
}

}  // namespace scorpio::format
