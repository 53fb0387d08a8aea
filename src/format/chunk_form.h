// How a variable is stored in chunks: where its elements lie in raw space, and what becomes of a chunk on its
// way into the file. Local; pure.
#pragma once

#include <cstddef>
#include <vector>

#include "codec/pipeline.h"
#include "decomp/chunk_grid.h"

namespace scorpio::format {

struct ChunkForm {
  decomp::ChunkGrid grid;
  codec::Pipeline pipeline;
  std::vector<std::byte> fill;  // one element: of padding, and of elements that nobody wrote

  friend bool operator==(const ChunkForm&, const ChunkForm&) = default;
};

}  // namespace scorpio::format
