// The layout of HDF5 files: every variable has its place as soon as it is defined. Local; pure.
#pragma once

#include <cstdint>
#include <memory>

#include "format/layout.h"

namespace scorpio::format {

// As AddressBook: data begin behind `first_free`, at multiples of `block_bytes`. `at_once` false: places are
// left to the format's library (an eager file). `unit_bytes`: what one unit of staging holds.
std::unique_ptr<Layout> make_hdf5_layout(uint64_t block_bytes, uint64_t first_free, bool at_once,
                                         uint64_t unit_bytes);

}  // namespace scorpio::format
