// The addresses of the encoded chunks that have none at a synchronisation point. Pure but for the layout: all
// I/O ranks compute the same from the same numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exchange/link/link.h"
#include "session/state/file_contents.h"
#include "storage/chunk_placement.h"

namespace scorpio::session {

// Of the chunks of one I/O rank: some fill regions of the arena that it has left behind
// (ChunkPlacement::fill_regions), the others follow each other from `address` on.
struct ChunkAddresses {
  uint64_t regions = 0;
  uint64_t address = 0;
  uint64_t bytes = 0;  // of the chunks from `address` on
};

// [I/O ranks] for what each of them has stored. The arena ends. `by_rounds`: chunks had addresses by rounds,
// and none in the arena.
Result<std::vector<ChunkAddresses>> place_chunks(FileContents& contents, bool by_rounds,
                                                 std::span<const exchange::StoredBytes> stored);

// Writes this I/O rank's chunks to the regions. The others follow.
Status fill_regions(storage::ChunkPlacement& chunks, const ChunkAddresses& mine);

}  // namespace scorpio::session
