// Describes types that the schema does not have: compounds, enumerations, arrays and others. Local; only the
// thread that calls SCORPIO.
#pragma once

#include <hdf5.h>

#include <string>

namespace scorpio::format::hdf5 {

// For example "compound {x: float64 at 0, y: float64 at 8} of 16 bytes", and "enumeration of int8 {FALSE: 0,
// TRUE: 1}".
std::string text_of_type(hid_t type);

}  // namespace scorpio::format::hdf5
