// The layout of HDF5 files: every variable has its location as soon as it is defined. Local; pure.
#pragma once

#include <cstdint>
#include <memory>

#include "format/chunk_planner.h"
#include "format/hdf5/netcdf4_rules.h"
#include "format/layout.h"

namespace scorpio::format {

// As AddressBook: data begin after `first_free`, at multiples of `block_bytes`. `at_once` false: the format's
// library assigns locations (an eager file). `unit_bytes`: the length of a unit. `chunks`: for shapes that
// the program does not choose. `rules`: those of format netcdf4.
std::unique_ptr<Layout> make_hdf5_layout(uint64_t block_bytes, uint64_t first_free, bool at_once,
                                         uint64_t unit_bytes, const ChunkWishes& chunks,
                                         const Netcdf4Rules& rules);

}  // namespace scorpio::format
