// The chunks that have got a place in the file since the index was last taken, in the order in which they got
// it. A new chunk takes 8 bytes, because its place is known already (stored_places.h). Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "format/chunk_finder.h"
#include "storage/chunk_placement.h"

namespace scorpio::format {

class IndexNews {
 public:
  // `repeats`: entry.frames is that of the variable, not of the chunk, and need not be told twice.
  void add(int variable, storage::IndexEntry entry, bool repeats);
  bool empty() const { return fresh_.empty() && others_.empty(); }
  // Returns all and forgets them. The entries of one chunk are in their order. `place_of`: where the chunk
  // that begins there in raw space is now.
  std::vector<storage::IndexEntry> take(const std::function<FoundChunk(uint64_t begin)>& place_of);

 private:
  std::deque<uint64_t> fresh_;  // new chunks of which nothing else is to be told
  std::vector<storage::IndexEntry> others_;
  std::optional<std::pair<int, uint64_t>> told_;  // the last frames of a variable, and the variable
};

}  // namespace scorpio::format
