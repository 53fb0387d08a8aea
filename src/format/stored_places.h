// The chunks of a variable that have got a place in the file since it was opened, in the order of raw space.
// There may be very many: each takes its own bytes, whatever the order in which they come. Local.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "format/chunk_finder.h"

namespace scorpio::format {

struct StoredChunk {
  uint64_t begin;  // in raw space
  FoundChunk place;
};

class StoredPlaces {
 public:
  // Null: the chunk has none. Valid until the next change.
  const StoredChunk* find(uint64_t begin) const;
  // Returns the previous place, without bytes if there was none.
  FoundChunk store(uint64_t begin, const FoundChunk& place);

 private:
  // One array of all would be copied when it grows, and moved by each chunk that comes before others.
  static constexpr size_t k_most = 256;  // chunks of a block
  using Block = std::vector<StoredChunk>;
  size_t block_of(uint64_t begin) const;  // where the chunk is, if it has a place; needs a block

  std::vector<Block> blocks_;  // none is empty
};

}  // namespace scorpio::format
