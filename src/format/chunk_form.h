// How a variable is stored in chunks: where its elements lie in raw space, and what becomes of a chunk on its
// way into the file. Local; pure.
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
  std::vector<std::byte> fill;  // one element: of padding, and of elements that nobody wrote
  uint64_t room_bytes = 0;      // of raw space, where the first dimension grows

  // Of raw space that the variable has for itself.
  uint64_t raw_bytes() const { return grid.grows() ? room_bytes : grid.raw_bytes(); }

  friend bool operator==(const ChunkForm&, const ChunkForm&) = default;
};

}  // namespace scorpio::format
