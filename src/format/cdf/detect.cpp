#include "format/cdf/detect.h"

#include "format/cdf/header_fields.h"

namespace scorpio::format::cdf {

std::optional<Version> detect(std::span<const std::byte> first_bytes) {
  if (first_bytes.size() < 4) return std::nullopt;
  uint32_t magic = 0;
  for (const std::byte byte : first_bytes.first(4)) magic = magic << 8 | static_cast<uint32_t>(byte);
  for (const Version version : {Version::cdf1, Version::cdf2, Version::cdf5}) {
    if (magic == (k_magic | static_cast<uint32_t>(version))) return version;
  }
  return std::nullopt;
}

}  // namespace scorpio::format::cdf
