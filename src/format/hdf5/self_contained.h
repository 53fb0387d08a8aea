// Which types have elements that are complete by themselves. Local; only the thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

namespace scorpio::format::hdf5 {

// The types of damaged files can be nested without an end.
inline constexpr int k_deepest_type = 16;

// Whether an element has its whole value in a fixed number of bytes of its own: no part is of variable
// length, which the file keeps elsewhere, or a reference.
bool is_self_contained(hid_t type);

}  // namespace scorpio::format::hdf5
