#include "format/chunk_arena.h"

#include <algorithm>

namespace scorpio::format {

namespace {

constexpr uint64_t k_least_region_bytes = uint64_t{256} << 10;
// Without a chunk in memory an I/O rank could not fill a region.
constexpr uint64_t k_least_chunks = 2;
constexpr uint64_t k_usual_held_bytes = uint64_t{16} << 20;

}  // namespace

uint64_t ChunkArena::unused_before(uint64_t io_rank, uint64_t used_end, uint64_t end) const {
  const uint64_t first_end = begin + (io_rank + 1) * region_bytes;
  const auto regions_before = [&](uint64_t byte) {
    return byte < first_end ? 0 : (byte - first_end) / (region_bytes * io_ranks) + 1;
  };
  return regions_before(std::max(end, used_end)) - regions_before(used_end);
}

uint64_t common_chunk_bytes(const Placements& placements, int variables, uint64_t block_bytes,
                            uint64_t most_held_bytes) {
  uint64_t common = 0;
  for (int i = 0; i < variables; ++i) {
    const auto& form = placements.of(i).chunks();
    if (form == nullptr) continue;
    const uint64_t bytes = form->grid.chunk_bytes();
    if (!form->pipeline.empty() || (common != 0 && bytes != common)) return 0;
    common = bytes;
  }
  const bool fits = common >= k_least_region_bytes && common % block_bytes == 0 &&
                    common <= most_held_bytes / k_least_chunks;
  return fits ? common : 0;
}

uint64_t held_bytes_for(uint64_t chunk_bytes, uint64_t most_held_bytes) {
  return std::min(std::max(k_usual_held_bytes, k_least_chunks * chunk_bytes), most_held_bytes);
}

}  // namespace scorpio::format
