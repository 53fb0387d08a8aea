// Determines the classic netCDF format of a file from its first bytes. Local; pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// None for any other file, and for fewer than 4 bytes.
std::optional<Version> detect(std::span<const std::byte> first_bytes);

}  // namespace scorpio::format::cdf
