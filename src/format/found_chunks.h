// Assigns ranges of raw space to variables that are stored in chunks in an opened file. Local; pure: every
// rank gets the same results.
#pragma once

#include <cstdint>

#include "format/chunk_places.h"
#include "format/placement.h"
#include "model/variables.h"

namespace scorpio::format {

// Applies to variables whose chunks can be decoded here (Placement::found_chunks). Variables for which no
// range is left are read by the format's library. Returns whether any variable got a range.
bool place_found_chunks(const model::Variables& variables, uint64_t unit_bytes, ChunkPlaces& places,
                        Placements& placements);

}  // namespace scorpio::format
