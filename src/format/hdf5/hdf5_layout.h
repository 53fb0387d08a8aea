// The layout of HDF5 files: every variable has its place as soon as it is defined. Local; pure.
#pragma once

#include <cstdint>
#include <memory>

#include "format/hdf5/netcdf4_rules.h"
#include "format/layout.h"

namespace scorpio::format {

// As AddressBook: data begin behind `first_free`, at multiples of `block_bytes`. `at_once` false: places are
// left to the format's library (an eager file). `unit_bytes`: what one unit of staging holds. `rules`: of
// format netcdf4.
std::unique_ptr<Layout> make_hdf5_layout(uint64_t block_bytes, uint64_t first_free, bool at_once,
                                         uint64_t unit_bytes, const Netcdf4Rules& rules = {});

}  // namespace scorpio::format
