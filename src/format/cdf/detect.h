// Which classic netCDF format a file is of, by its first bytes. Local; pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "format/cdf/header.h"

namespace scorpio::format::cdf {

// None for anything else, and for fewer than 4 bytes.
std::optional<Version> detect(std::span<const std::byte> first_bytes);

}  // namespace scorpio::format::cdf
