// The storage of a variable in chunks: the positions of its elements in raw space, and the filters of a
// chunk. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/pipeline.h"
#include "decomp/chunk_grid.h"

namespace scorpio::format {

struct ChunkForm {
  decomp::ChunkGrid grid;
  codec::Pipeline pipeline;
  std::vector<std::byte> fill;  // one element, for padding and for elements that no rank wrote
  uint64_t room_bytes = 0;      // bytes of raw space, if the first dimension is unlimited

  // The number of bytes of raw space that belong to the variable.
  uint64_t raw_bytes() const { return grid.grows() ? room_bytes : grid.raw_bytes(); }

  friend bool operator==(const ChunkForm&, const ChunkForm&) = default;
};

}  // namespace scorpio::format
