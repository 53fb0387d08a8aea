#include "format/chunk_form.h"

#include <algorithm>

namespace scorpio::format {

int64_t ChunkForm::found_chunks() const {
  if (!grid.grows()) return grid.chunks();
  const int64_t frames = grid.chunk()[0];
  return (found_frames + frames - 1) / frames * grid.chunks_in_layer();
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
