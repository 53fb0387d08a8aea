#include "session/calls/chunk_addresses.h"

#include <algorithm>

#include "format/chunk_arena.h"

namespace scorpio::session {

namespace {

// The number of regions of the arena that the I/O rank has not used, although one of another I/O rank that
// lies behind was, and for which it has chunks.
uint64_t regions_to_fill(const format::ChunkArena& arena, uint64_t io_rank,
                         const exchange::StoredBytes& stored, uint64_t end) {
  return std::min(arena.unused_before(io_rank, stored.arena_end, end), stored.unplaced / arena.region_bytes);
}

}  // namespace

Result<std::vector<ChunkAddresses>> place_chunks(FileContents& contents, bool by_rounds,
                                                 std::span<const exchange::StoredBytes> stored) {
  format::ChunkLayout* const layout = contents.layout().chunks();
  if (layout == nullptr) return failure(Code::internal, "{} has no chunks", contents.path());
  const uint64_t chunk = by_rounds ? 0 : layout->arena_chunk_bytes();
  uint64_t end = 0;
  for (const exchange::StoredBytes& one : stored) end = std::max(end, one.arena_end);
  std::vector<ChunkAddresses> all(stored.size());
  std::vector<uint64_t> bytes;
  for (size_t i = 0; i < stored.size(); ++i) {
    if (chunk > 0)
      all[i].regions = regions_to_fill({*layout->arena(), chunk, stored.size()}, i, stored[i], end);
    all[i].bytes = stored[i].unplaced - all[i].regions * chunk;
    bytes.push_back(all[i].bytes);
  }
  SCORPIO_TRY(layout->end_arena(contents.schema(), end));
  SCORPIO_ASSIGN(const std::vector<uint64_t> addresses, layout->place_stored(bytes));
  for (size_t i = 0; i < all.size(); ++i) all[i].address = addresses[i];
  return all;
}

Status fill_regions(storage::ChunkPlacement& chunks, const ChunkAddresses& mine) {
  return mine.regions > 0 ? chunks.fill_regions(mine.regions) : Status();
}

}  // namespace scorpio::session
