// Names of dimensions, variables and attributes: which ones the specification allows. Local; pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"

namespace scorpio::format::cdf {

inline constexpr size_t k_name_limit_bytes = 256;  // NC_MAX_NAME

// Well-formed UTF-8: no overlong form, no surrogate, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

// Normalisation form C, in which the specification wants names: "e" with a combining accent becomes the one
// character. What is not UTF-8 comes back as it is.
std::string normalised(std::string text);

// Code::name, with `what` ("dimension", ...), for a name that may not be written: empty, too long, not UTF-8,
// with a control character or '/', beginning with other than a letter, digit, '_' or non-ASCII character, or
// ending in a space. Readers must accept such names. Names are compared as bytes: normalised() comes before.
Status check_name(std::string_view name, const char* what);

}  // namespace scorpio::format::cdf
