#include "format/format.h"

#include <algorithm>
#include <array>
#include <optional>

#include "format/cdf/detect.h"

namespace scorpio::format {
namespace {

constexpr std::array<std::string_view, 4> k_names{"hdf5", "cdf1", "cdf2", "cdf5"};

}  // namespace

std::string_view name(Format format) { return k_names[static_cast<size_t>(format) - 1]; }

Format format_named(std::string_view name) {
  const auto at = std::find(k_names.begin(), k_names.end(), name);
  return at == k_names.end() ? Format::hdf5 : static_cast<Format>(at - k_names.begin() + 1);
}

cdf::Version classic_version(Format format) {
  if (format == Format::cdf1) return cdf::Version::cdf1;
  return format == Format::cdf2 ? cdf::Version::cdf2 : cdf::Version::cdf5;
}

Format detect(std::span<const std::byte> bytes) {
  const std::optional<cdf::Version> version = cdf::detect(bytes);
  if (!version) return Format::hdf5;
  switch (*version) {
    case cdf::Version::cdf1:
      return Format::cdf1;
    case cdf::Version::cdf2:
      return Format::cdf2;
    case cdf::Version::cdf5:
      return Format::cdf5;
  }
  return Format::hdf5;
}

}  // namespace scorpio::format
