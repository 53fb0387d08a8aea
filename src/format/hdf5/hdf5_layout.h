// The layout of HDF5 files: every variable has its location as soon as it is defined. Local; pure.
#pragma once

#include <cstdint>
#include <memory>

#include "format/chunk_planner.h"
#include "format/hdf5/hdf5_rules.h"
#include "format/layout.h"

namespace scorpio::format {

// As AddressBook: data begin after `first_free`, at multiples of `block_bytes`; in an eager file HDF5 assigns
// the locations. `unit_bytes`: the length of a unit. `chunks`: for shapes that the program does not choose.
std::unique_ptr<Layout> make_hdf5_layout(uint64_t block_bytes, uint64_t first_free, uint64_t unit_bytes,
                                         const ChunkWishes& chunks, const Hdf5Rules& rules);

}  // namespace scorpio::format
