// Filters that need libraries of their own: deflate takes the faster one that is there, the others need not
// be there. Local; pure.
#pragma once

#include "codec/filters.h"

namespace scorpio::codec {

const FilterCode* deflate_filter();
// Null where the library was not found when SCORPIO was built.
const FilterCode* zstd_filter();
const FilterCode* blosc_filter();

// Code::unsupported, and what to do about it, where the filter is not built in.
Status check_built_in(int number);
// Code::argument for one that Blosc does not take, as it was built.
Status check_blosc(int parameter);

}  // namespace scorpio::codec
