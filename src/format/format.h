// The formats that files can have. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "format/cdf/header.h"

namespace scorpio::format {

enum class Format : uint8_t { hdf5 = 1, cdf1, cdf2, cdf5 };

inline bool is_classic(Format format) { return format != Format::hdf5; }
// As option `format` has it.
std::string_view name(Format format);
// `name` is one of the four.
Format format_named(std::string_view name);
// `format` is a classic one.
cdf::Version classic_version(Format format);
// Of a file that begins with `bytes` (4 are enough); what is not classic netCDF is for HDF5 to look at.
Format detect(std::span<const std::byte> bytes);

}  // namespace scorpio::format
