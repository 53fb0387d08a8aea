// Filters that use libraries of their own: for deflate the fastest one that was found, the others are
// optional. Local; pure.
#pragma once

#include "codec/filters.h"

namespace scorpio::codec {

const FilterCode* deflate_filter();
// Null if the library was not found when SCORPIO was built.
const FilterCode* zstd_filter();
const FilterCode* blosc_filter();
const FilterCode* zfp_filter();

// Code::unsupported, with a remedy, if the filter is not built in.
Status check_built_in(int number);
// Code::argument for a parameter that the Blosc library does not accept.
Status check_blosc(int parameter);

}  // namespace scorpio::codec
