#include "format/found_chunks.h"

#include <memory>
#include <optional>
#include <utility>

#include "base/checked.h"

namespace scorpio::format {

namespace {

// Whether all chunks, which may exceed the extents of the array, fit into a range of raw space. There they
// take at most twice their bytes, or whole units.
bool fits(const model::Variable& variable, const decomp::ChunkGrid& grid) {
  std::optional<uint64_t> bytes = 4 * uint64_t{variable.type.size_bytes};
  for (size_t d = 0; d < variable.dims.size() && bytes; ++d) {
    const auto extent = static_cast<uint64_t>(grid.chunk()[d]);
    const bool grows = variable.grows(d);  // measured by one chunk
    const auto padded = checked_add(grows ? 0 : static_cast<uint64_t>(variable.dims[d]), extent);
    bytes = padded ? checked_mul(*bytes, *padded) : std::nullopt;
  }
  return bytes && *bytes <= plan::k_chunk_range_bytes / 2 && grid.chunk_bytes() <= k_largest_chunk_bytes;
}

}  // namespace

bool place_found_chunks(const model::Variables& variables, uint64_t unit_bytes, ChunkPlaces& places,
                        Placements& placements) {
  bool any = false;
  for (int i = 0; i < variables.count(); ++i) {
    const model::Variable& variable = variables[i];
    const std::shared_ptr<const ChunkForm> known = placements.of(i).found_chunks();
    if (known == nullptr || variable.stays_empty() || !fits(variable, known->grid)) continue;
    auto form = std::make_shared<ChunkForm>(*known);
    std::vector<int64_t> dims = grid_extents(variable);
    form->grid = {std::move(dims), known->grid.chunk(), variable.type.size_bytes, unit_bytes};
    const auto range = places.place(form->grid);
    const uint64_t object = placements.of(i).object();
    if (!range.ok()) continue;
    if (variable.is_free()) {
      form->room_bytes = range->size();
      form->found_extents = known->grid.dims();
      if (!form->grid.fits(variable.dims, form->room_bytes)) continue;
    } else if (variable.records) {
      form->room_bytes = range->size();
      form->found_frames = known->grid.dims()[0];
      if (variable.dims[0] > form->grid.frames_within(form->room_bytes)) continue;
    }
    placements.set(i, Placement::found_in_chunks(range->begin, std::move(form), object));
    any = true;
  }
  return any;
}

}  // namespace scorpio::format
