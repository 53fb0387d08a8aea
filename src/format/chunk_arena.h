// The part of the file after all data in which I/O ranks store chunks before a synchronisation point: regions
// of equal size, which they get in turn. Pure: every rank gets the same results.
#pragma once

#include <cstdint>

#include "format/placement.h"
#include "storage/chunk_placement.h"

namespace scorpio::format {

struct ChunkArena {
  uint64_t begin = 0;
  uint64_t region_bytes = 0;
  uint64_t io_ranks = 1;

  // That of an I/O rank. `most_held_bytes` as in the result.
  storage::ChunkPlacement::Arena of(uint64_t io_rank, uint64_t most_held_bytes) const {
    return {begin + io_rank * region_bytes, region_bytes, region_bytes * io_ranks, most_held_bytes};
  }
  // The number of regions of an I/O rank before `end`, of which it has used those before `used_end` (0:
  // none).
  uint64_t unused_before(uint64_t io_rank, uint64_t used_end, uint64_t end) const;
};

// How many bytes of chunks an I/O rank keeps in memory, although it could write them to regions. With them it
// fills regions that it has left behind: other I/O ranks can have a unit of chunks more.
struct HeldBytes {
  uint64_t unit_bytes = 0;
  uint64_t most = 0;  // that the user allows

  // For chunks of this size; may be larger than `most`.
  uint64_t of(uint64_t chunk_bytes) const;
};

// The size of all chunks, if they have the same size, a multiple of a block, and no filters: a region of the
// arena can then be one chunk, and nothing in it is left unused. 0: they differ, or a chunk is too short for
// a write of its own, or an I/O rank cannot keep enough of them in memory. `variables`: their number.
uint64_t common_chunk_bytes(const Placements& placements, int variables, uint64_t block_bytes,
                            const HeldBytes& held);

}  // namespace scorpio::format
