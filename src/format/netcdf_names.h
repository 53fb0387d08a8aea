// The names of dimensions, variables and attributes in netCDF files, classic ones and netCDF-4, as the
// specification of the classic formats has them. Local; pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"

namespace scorpio::format {

inline constexpr size_t k_name_limit_bytes = 256;  // NC_MAX_NAME

// Whether the text is valid UTF-8: no overlong form, no surrogate, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

// Normalisation form C, which the specification requires: "e" with a combining accent becomes one character.
// Text that is not UTF-8 is returned unchanged.
std::string normalised_name(std::string text);

// Code::name, with `what` ("dimension", ...), for a name that must not be written: empty, too long, not
// UTF-8, with a control character or '/', beginning with other than a letter, digit, '_' or non-ASCII
// character, or ending in a space. Readers must accept such names. Names are compared as bytes, so
// normalised_name() is applied before.
Status check_netcdf_name(std::string_view name, const char* what);

}  // namespace scorpio::format
