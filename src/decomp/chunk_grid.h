// The division of an array into chunks, and the positions of the chunks in raw space, where they follow each
// other in row-major order, each with all of its elements. Chunks within one unit of raw space are adjacent;
// no chunk crosses the end of a unit unless it is longer than a unit. Dimensions that grow are numbered so
// that no place depends on their extents: if only the first one grows, layers follow each other in its order;
// if inner ones grow, layers have the numbers of shells (decomp/shells.h). Local and pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/byte_range.h"
#include "decomp/runs.h"

namespace scorpio::decomp {

class ChunkGrid {
 public:
  // The extent of an unlimited dimension. No position depends on it.
  static constexpr int64_t k_grows = -1;

  // `dims`, `chunk`: [ndims], at least one dimension, chunk extents of 1 or more. `unit_bytes`: the length of
  // a unit. `cell_layers`: if not 0, a unit holds this number of layers, and the rest of the unit belongs to
  // other arrays; as many layers must fit.
  ChunkGrid(std::vector<int64_t> dims, std::vector<int64_t> chunk, uint32_t element_bytes,
            uint64_t unit_bytes, int64_t cell_layers = 0);

  const std::vector<int64_t>& dims() const { return dims_; }
  // Some dimension is unlimited.
  bool grows() const { return free_ || dims_[0] == k_grows; }
  // An inner dimension is unlimited. A layer is then the chunks at one index of all unlimited dimensions, and
  // the elements at one index of the first dimension have other distances than those at another.
  bool is_free() const { return free_; }
  // The same places, as those of an array that has this many indices of the first dimension.
  ChunkGrid with_frames(int64_t frames) const;
  // The same chunks, with this number of layers in a unit.
  ChunkGrid with_cells(int64_t layers) const;
  int64_t cell_layers() const { return cell_layers_; }
  // Whether a unit holds whole layers, and their elements are at the same bytes of each unit.
  bool can_have_cells() const {
    return chunks_together_ == chunks_in_layer_ && doublings_ == 0 && unit_bytes_ % element_bytes_ == 0;
  }
  uint64_t layer_bytes() const { return static_cast<uint64_t>(chunks_in_layer_) * chunk_bytes(); }
  const std::vector<int64_t>& chunk() const { return chunk_; }
  uint32_t element_bytes() const { return element_bytes_; }
  uint64_t unit_bytes() const { return unit_bytes_; }
  int64_t chunk_elements() const { return chunk_elements_; }
  uint64_t chunk_bytes() const { return static_cast<uint64_t>(chunk_elements_) * element_bytes_; }
  // The bytes of a chunk with one index of the first dimension.
  uint64_t frame_bytes() const { return static_cast<uint64_t>(plane_elements_) * element_bytes_; }
  // The number of chunks along the first dimension (0 if it is unlimited), and the chunks at one index of it.
  int64_t layers() const { return grows() ? 0 : (dims_[0] + chunk_[0] - 1) / chunk_[0]; }
  int64_t chunks_in_layer() const { return chunks_in_layer_; }
  int64_t chunks() const { return layers() * chunks_in_layer_; }
  // For a chunk that is longer than a unit: `unit_bytes` << this is the distance between chunks.
  int doublings() const { return doublings_; }
  // The bytes of all chunks, for dimensions that are not unlimited; and whether they are in one unit.
  uint64_t raw_bytes() const;
  bool in_one_unit() const { return in_one_unit_; }
  // The number of indices of the first dimension whose chunks are completely in the first `bytes` bytes of
  // raw space.
  int64_t frames_within(uint64_t bytes) const;

  // Whether the chunks of an array of these extents [ndims] are in the first `bytes` bytes of raw space, if
  // the grid is free.
  bool fits(std::span<const int64_t> extents, uint64_t bytes) const;

  // ---- elements, counted from the beginning of the variable in raw space ----
  // The first element with this index of the first dimension.
  int64_t frame_begin(int64_t index) const;
  // The first element of the chunk with this index in a layer, from the beginning of the layer.
  int64_t in_layer(int64_t chunk) const;
  // One past the last element of a layer, from its beginning.
  int64_t layer_elements() const { return in_layer(chunks_in_layer_ - 1) + chunk_elements_; }
  int64_t begin_of(int64_t chunk) const;

  // ---- bytes of the variable in raw space ----
  struct Place {
    int64_t chunk = 0;
    uint64_t offset = 0;  // of the byte in the chunk
    uint64_t begin = 0;   // of the chunk
  };
  // The chunk that contains `byte`; for a gap the beginning of the next chunk.
  Place at(uint64_t byte) const;

  // ---- one chunk ----
  // The number of the chunk with these indices [ndims] in a free grid that holds it, see fits().
  int64_t number_of(std::span<const int64_t> indices) const;
  // [ndims] the index of its first element.
  std::vector<int64_t> start_of(int64_t chunk) const;
  // The bytes of the chunk's image that are outside the array.
  std::vector<ByteRange> padding_of(int64_t chunk) const;
  // The same of an array of the extents `dims` [ndims], which the chunk need not contain.
  std::vector<ByteRange> padding_of(int64_t chunk, std::span<const int64_t> dims) const;

  friend bool operator==(const ChunkGrid&, const ChunkGrid&) = default;

 private:
  int64_t elements_behind(uint64_t bytes) const {
    return static_cast<int64_t>((bytes + element_bytes_ - 1) / element_bytes_);
  }
  void space_out(uint64_t unit_bytes);
  int64_t layer_begin(int64_t layer) const;

  std::vector<int64_t> dims_;
  std::vector<int64_t> chunk_;
  uint32_t element_bytes_;
  uint64_t unit_bytes_;
  int64_t cell_layers_;
  int64_t chunk_elements_ = 1;
  int64_t chunks_in_layer_ = 1;
  int64_t plane_elements_ = 1;  // elements of a chunk with one index of the first dimension
  // Groups of chunks begin at multiples of group_bytes_ of a layer, groups of layers at multiples of
  // layer_group_bytes_, each at the next whole element.
  int64_t chunks_together_ = 1;
  uint64_t group_bytes_ = 0;
  int64_t layers_together_ = 1;
  uint64_t layer_group_bytes_ = 0;
  int doublings_ = 0;
  bool in_one_unit_ = false;
  bool free_ = false;
  size_t growing_ = 0;  // the number of unlimited dimensions
};

}  // namespace scorpio::decomp
