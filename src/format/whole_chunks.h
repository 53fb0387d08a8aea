// Chunks all of whose elements are in one slot, of which only the bytes that hold data are passed on, range
// by range: chunks at the ends of dimensions have padding between. Local; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/byte_range.h"
#include "decomp/chunk_grid.h"

namespace scorpio::format {

class WholeChunks {
 public:
  // Bytes of a chunk that hold data.
  struct Part {
    uint64_t begin;              // of the chunk in raw space
    int64_t chunk;               // its number in the grid
    uint64_t offset;             // of the bytes in the chunk
    std::span<std::byte> bytes;  // in the memory of the slot
  };
  // The ranges of a slot follow each other in ascending order. Returns the image of the chunk in the slot
  // when its last element has been added, and keeps it; otherwise nothing.
  std::span<std::byte> add(const Part& part, std::span<std::byte> slot, const decomp::ChunkGrid& grid);

  // The next ranges are those of other data, which may be in the same memory.
  void forget_parts() { now_ = {}; }

  struct Chunk {
    std::span<std::byte> image;
    uint64_t end;  // of its last element in the image
  };
  // The chunk in whose image this byte is; null: none.
  const Chunk* find(const std::byte* at) const;
  void remove(const Chunk& chunk) { chunks_.erase(chunk.image.data()); }
  void clear();

 private:
  // How far the elements of a chunk have been added.
  class Cover {
   public:
    Cover() = default;
    Cover(uint64_t begin, std::span<std::byte> image, std::vector<ByteRange> padding);
    bool is_of(uint64_t begin, std::span<std::byte> image) const {
      return begin_ == begin && image_.data() == image.data();
    }
    // Whether all elements have been added.
    bool add(const ByteRange& range);
    uint64_t end_of_elements() const;

   private:
    void skip_padding();

    uint64_t begin_ = 0;
    std::span<std::byte> image_{};
    std::vector<ByteRange> padding_;  // sorted, disjoint
    size_t skipped_ = 0;              // number of ranges of padding in front of `covered_`
    uint64_t covered_ = 0;            // all bytes before this one are added, or padding
  };

  Cover now_;
  std::map<const std::byte*, Chunk> chunks_;  // by image
};

}  // namespace scorpio::format
