#include "format/chunk_form.h"

#include <algorithm>

namespace scorpio::format {

namespace {

int64_t chunks_along(const ChunkForm& form, size_t d) {
  const int64_t chunk = form.grid.chunk()[d];
  return form.found_extents[d] / chunk + (form.found_extents[d] % chunk != 0 ? 1 : 0);
}

}  // namespace

int64_t ChunkForm::found_chunks() const {
  if (!grid.grows()) return grid.chunks();
  if (grid.is_free()) {
    int64_t chunks = found_extents.empty() ? 0 : 1;
    for (size_t d = 0; d < found_extents.size(); ++d) chunks *= chunks_along(*this, d);
    return chunks;
  }
  const int64_t frames = grid.chunk()[0];
  return (found_frames + frames - 1) / frames * grid.chunks_in_layer();
}

int64_t ChunkForm::found_position(int64_t chunk) const {
  if (!grid.is_free()) return chunk < found_chunks() ? chunk : -1;
  if (found_extents.empty()) return -1;
  const std::vector<int64_t> start = grid.start_of(chunk);
  int64_t position = 0;
  for (size_t d = 0; d < start.size(); ++d) {
    if (start[d] >= found_extents[d]) return -1;
    position = position * chunks_along(*this, d) + start[d] / grid.chunk()[d];
  }
  return position;
}

int64_t ChunkForm::found_chunk(int64_t position) const {
  if (!grid.is_free()) return position;
  std::vector<int64_t> indices(found_extents.size());
  for (size_t d = indices.size(); d-- > 0; position /= chunks_along(*this, d))
    indices[d] = position % chunks_along(*this, d);
  return grid.number_of(indices);
}

std::vector<ByteRange> ChunkForm::beyond_found(int64_t chunk) const {
  if (grid.is_free()) return grid.padding_of(chunk, found_extents);
  const ByteRange behind = behind_end(chunk);
  return behind.empty() ? std::vector<ByteRange>() : std::vector<ByteRange>{behind};
}

bool ChunkForm::lacks_elements(int64_t chunk) const {
  if (!grid.is_free()) return !behind_end(chunk).empty();
  const std::vector<int64_t> start = grid.start_of(chunk);
  for (size_t d = 0; d < start.size(); ++d) {
    const bool grows = grid.dims()[d] == decomp::ChunkGrid::k_grows;
    if (grows && start[d] + grid.chunk()[d] > found_extents[d]) return true;
  }
  return false;
}

bool ChunkForm::holds(uint64_t begin, uint64_t byte) const {
  if (byte < begin || byte >= window(begin).end) return false;
  const auto layers = static_cast<uint64_t>(grid.cell_layers());
  return layers == 0 || (byte - begin) % grid.unit_bytes() < layers * grid.layer_bytes();
}

ByteRange ChunkForm::behind_end(int64_t chunk) const {
  if (!grid.grows()) return {};
  const int64_t frames = grid.chunk()[0];
  const int64_t before = chunk / grid.chunks_in_layer() * frames;
  const int64_t inside = std::clamp<int64_t>(found_frames - before, 0, frames);
  return {static_cast<uint64_t>(inside) * grid.frame_bytes(), grid.chunk_bytes()};
}

}  // namespace scorpio::format
