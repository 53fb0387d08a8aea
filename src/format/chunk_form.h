// The storage of a variable in chunks: the positions of its elements in raw space, and the filters of a
// chunk. Local; pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/byte_range.h"
#include "codec/pipeline.h"
#include "decomp/chunk_grid.h"

namespace scorpio::format {

struct ChunkForm {
  decomp::ChunkGrid grid;
  codec::Pipeline pipeline;
  std::vector<std::byte> fill;  // one element, for padding and for elements that no rank wrote
  uint64_t room_bytes = 0;      // bytes of the window, if a dimension is unlimited
  int64_t found_frames = 0;     // the length of the first dimension in an opened file, if it is unlimited
  uint64_t cell_begin = 0;      // of the variable, in each unit of its window
  std::vector<int64_t> found_extents = {};  // [ndims] those in an opened file, if the grid is free

  // The range of raw space that the variable, whose first byte is `begin`, has alone, or whose units it
  // shares with other variables (ChunkGrid::cell_layers).
  ByteRange window(uint64_t begin) const { return ByteRange::at(begin - cell_begin, raw_bytes()); }
  // Whether this byte of raw space belongs to the variable.
  bool holds(uint64_t begin, uint64_t byte) const;
  uint64_t raw_bytes() const { return grid.grows() ? room_bytes : grid.raw_bytes(); }
  // That an opened file can have. They have positions of their own, because the numbers of a free grid have
  // gaps.
  int64_t found_chunks() const;
  // -1: it can not have the chunk.
  int64_t found_position(int64_t chunk) const;
  int64_t found_chunk(int64_t position) const;
  // Bytes of the image of such a chunk that the file has behind the end of the variable: they are no elements
  // of it, and may have any value.
  ByteRange behind_end(int64_t chunk) const;
  // The same for any grid; and whether there are such bytes.
  std::vector<ByteRange> beyond_found(int64_t chunk) const;
  bool lacks_elements(int64_t chunk) const;

  friend bool operator==(const ChunkForm&, const ChunkForm&) = default;
};

}  // namespace scorpio::format
