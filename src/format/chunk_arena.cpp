#include "format/chunk_arena.h"

#include <algorithm>

namespace scorpio::format {

namespace {

constexpr uint64_t k_least_region_bytes = uint64_t{256} << 10;
constexpr uint64_t k_usual_held_bytes = uint64_t{16} << 20;

}  // namespace

uint64_t ChunkArena::unused_before(uint64_t io_rank, uint64_t used_end, uint64_t end) const {
  const uint64_t first_end = begin + (io_rank + 1) * region_bytes;
  const auto regions_before = [&](uint64_t byte) {
    return byte < first_end ? 0 : (byte - first_end) / (region_bytes * io_ranks) + 1;
  };
  return regions_before(std::max(end, used_end)) - regions_before(used_end);
}

uint64_t HeldBytes::of(uint64_t chunk_bytes) const {
  return std::max(std::min(k_usual_held_bytes, most), unit_bytes + 2 * chunk_bytes);
}

uint64_t common_chunk_bytes(const Placements& placements, int variables, uint64_t block_bytes,
                            const HeldBytes& held) {
  uint64_t common = 0;
  for (int i = 0; i < variables; ++i) {
    const auto& form = placements.of(i).chunks();
    if (form == nullptr) continue;
    const uint64_t bytes = form->grid.chunk_bytes();
    if (!form->pipeline.empty() || (common != 0 && bytes != common)) return 0;
    common = bytes;
  }
  const bool fits =
      common >= k_least_region_bytes && common % block_bytes == 0 && held.of(common) <= held.most;
  return fits ? common : 0;
}

}  // namespace scorpio::format
