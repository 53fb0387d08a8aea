#include "format/put_frames.h"

#include <algorithm>

namespace scorpio::format {

void PutFrames::put(int variable, const ChunkForm& form, int64_t chunk, uint64_t end) {
  const decomp::ChunkGrid& grid = form.grid;
  if (!grid.grows()) return;
  const auto inside = static_cast<int64_t>((end + grid.frame_bytes() - 1) / grid.frame_bytes());
  const Frames in_file{form.found_frames, form.found_frames};
  Frames& frames = all_.try_emplace(variable, in_file).first->second;
  frames.put = std::max(frames.put, chunk / grid.chunks_in_layer() * grid.chunk()[0] + inside);
}

uint64_t PutFrames::tell(int variable) {
  const auto found = all_.find(variable);
  if (found == all_.end()) return 0;
  found->second.told = found->second.put;
  return static_cast<uint64_t>(found->second.put);
}

bool PutFrames::has_news(int variable) const {
  const auto found = all_.find(variable);
  return found != all_.end() && found->second.put > found->second.told;
}

}  // namespace scorpio::format
