// Numbers of all element types as one type, and their conversion by the rules of the library. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scorpio/scorpio.h"

namespace scorpio::drawn {

using Number = long double;  // holds each value of each type exactly
static_assert(__LDBL_MANT_DIG__ >= 64);

size_t bytes_of(scorpio_type type);
bool is_float(scorpio_type type);

// What an element of `type` holds after `number` was put to it; `clipped`, unless null, is set if that is
// another number and not only a rounded one.
Number converted(Number number, scorpio_type type, bool* clipped);

void encode(Number number, scorpio_type type, std::byte* to);
Number decoded(const std::byte* from, scorpio_type type);

// The default of netCDF.
Number default_fill(scorpio_type type);

}  // namespace scorpio::drawn
