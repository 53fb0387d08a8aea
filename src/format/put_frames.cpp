#include "format/put_frames.h"

#include <algorithm>

namespace scorpio::format {

namespace {

// One past the last index in each dimension of the elements [first, last] of a chunk's image.
std::vector<int64_t> ends_of(const std::vector<int64_t>& chunk, int64_t first, int64_t last) {
  std::vector<int64_t> ends(chunk.size());
  for (size_t d = chunk.size(); d-- > 0;) {
    // If a later index of the dimension before is reached, all indices of this one are.
    const bool wraps = first / chunk[d] != last / chunk[d];
    ends[d] = wraps ? chunk[d] : last % chunk[d] + 1;
    first /= chunk[d];
    last /= chunk[d];
  }
  return ends;
}

}  // namespace

void PutFrames::put(int variable, const ChunkForm& form, int64_t chunk, ByteRange bytes) {
  const decomp::ChunkGrid& grid = form.grid;
  if (!grid.grows()) return;
  if (grid.is_free()) return put_free(variable, form, chunk, bytes);
  const auto inside = static_cast<int64_t>((bytes.end + grid.frame_bytes() - 1) / grid.frame_bytes());
  const Frames in_file{form.found_frames, form.found_frames};
  Frames& frames = all_.try_emplace(variable, in_file).first->second;
  frames.put = std::max(frames.put, chunk / grid.chunks_in_layer() * grid.chunk()[0] + inside);
}

void PutFrames::put_free(int variable, const ChunkForm& form, int64_t chunk, ByteRange bytes) {
  if (bytes.empty()) return;
  const decomp::ChunkGrid& grid = form.grid;
  const auto found = free_.try_emplace(variable).first;
  Ends& all = found->second;
  if (all.chunk.empty()) {
    all.chunk = grid.chunk();
    all.told = form.found_extents;
    all.told.resize(all.chunk.size());
  }
  const std::vector<int64_t> start = grid.start_of(chunk);
  const std::vector<int64_t> ends =
      ends_of(all.chunk, static_cast<int64_t>(bytes.begin / grid.element_bytes()),
              static_cast<int64_t>((bytes.end - 1) / grid.element_bytes()));
  bool longer = false;
  for (size_t d = 0; d < ends.size(); ++d)
    longer = longer || (grid.dims()[d] == decomp::ChunkGrid::k_grows && start[d] + ends[d] > all.told[d]);
  if (!longer) return;
  Put& put = all.put.try_emplace(chunk, Put{start, ends}).first->second;
  for (size_t d = 0; d < ends.size(); ++d) put.ends[d] = std::max(put.ends[d], ends[d]);
}

uint64_t PutFrames::tell(int variable, int64_t chunk) {
  if (const auto free = free_.find(variable); free != free_.end()) {
    Ends& all = free->second;
    const auto put = all.put.extract(chunk);
    if (put.empty()) return 0;
    const auto& [start, ends] = put.mapped();
    uint64_t element = 0;
    for (size_t d = 0; d < all.chunk.size(); ++d) {
      element = element * static_cast<uint64_t>(all.chunk[d]) + static_cast<uint64_t>(ends[d] - 1);
      all.told[d] = std::max(all.told[d], start[d] + ends[d]);
    }
    return element + 1;
  }
  const auto found = all_.find(variable);
  if (found == all_.end()) return 0;
  found->second.told = found->second.put;
  return static_cast<uint64_t>(found->second.put);
}

bool PutFrames::has_news(int variable, int64_t chunk) const {
  if (const auto free = free_.find(variable); free != free_.end()) return free->second.put.contains(chunk);
  const auto found = all_.find(variable);
  return found != all_.end() && found->second.put > found->second.told;
}

}  // namespace scorpio::format
