// The elements of a region in memory: in row-major order, as they are buffered, and converted to the type of
// the variable. Local.
#pragma once

#include "pio.h"
#include "pio/base/number_ranges.h"
#include "pio/file/region.h"
#include "pio/system/buffers.h"
#include "pio/system/io_system.h"

namespace scorpio_pio {

// The positions in memory of the elements in row-major order.
std::vector<int64_t> places_of(const CheckedRegion& region);

// The elements in row-major order.
Buffer packed(IoSystem& system, const CheckedRegion& region, nc_type memory, const void* data);

// The same, of the type of the variable. `fits`: whether all are in its range.
Buffer converted(IoSystem& system, const CheckedRegion& region, nc_type memory, nc_type stored, Rules rules,
                 const void* data, bool& fits);

// Whether all elements are in the range of the type of the variable.
bool all_fit(const CheckedRegion& region, nc_type memory, nc_type stored, Rules rules, const void* data);

}  // namespace scorpio_pio
