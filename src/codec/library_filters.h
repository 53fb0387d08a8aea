// Filters that use libraries of their own: for deflate the fastest one that was found, the others are
// optional. Local; pure.
#pragma once

#include "codec/filter.h"

namespace scorpio::codec {

const FilterCode* deflate_filter();
// Null if the library was not found when SCORPIO was built.
const FilterCode* zstd_filter();
const FilterCode* blosc_filter();
const FilterCode* zfp_filter();

// Code::argument for a parameter that the Blosc library does not accept.
Status check_blosc(int parameter);

}  // namespace scorpio::codec
