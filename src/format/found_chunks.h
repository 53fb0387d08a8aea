// Gives variables that a file holds in chunks already their places in raw space. Local; pure: every rank gets
// the same answers.
#pragma once

#include <cstdint>

#include "format/chunk_places.h"
#include "format/placement.h"
#include "model/schema.h"

namespace scorpio::format {

// The variables whose chunks can be decoded here (Placement::found_chunks). Those that find no place there
// are left to the format's library. Whether any has got one.
bool place_found_chunks(const model::Schema& schema, uint64_t unit_bytes, ChunkPlaces& places,
                        Placements& placements);

}  // namespace scorpio::format
