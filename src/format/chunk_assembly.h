// Chunks of one I/O rank of which parts were put, until they are complete, or are encoded as they are because
// memory is used up. Independent; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/byte_range.h"
#include "base/interval_set.h"

namespace scorpio::format {

// A chunk that is being assembled.
class PartialChunk {
 public:
  // `begin`: in raw space. `padding`: the bytes of it that are no elements, and count as put.
  PartialChunk(uint64_t begin, uint64_t bytes, const std::vector<ByteRange>& padding);

  uint64_t begin() const { return begin_; }
  uint64_t bytes() const { return bytes_; }  // when it is complete
  // Copies the bytes to byte `offset` of the chunk, and returns where they are.
  std::span<std::byte> put(uint64_t offset, std::span<const std::byte> bytes);
  bool is_complete() const { return written_.covers({0, bytes_}); }
  // The whole image: `base`, which has bytes() bytes, with what was put. A complete chunk needs no base.
  std::vector<std::byte> take_over(std::vector<std::byte> base);
  std::vector<std::byte> take();

 private:
  uint64_t begin_;
  uint64_t bytes_;
  std::vector<std::byte> image_;  // up to the last byte that was put, so that none is zeroed first
  IntervalSet written_;
};

class ChunkAssembly {
 public:
  // Null if no part of the chunk that begins at this byte of raw space was put.
  PartialChunk* find(uint64_t begin);
  PartialChunk& add(PartialChunk chunk);
  PartialChunk remove(uint64_t begin);  // of one that is there
  bool empty() const { return chunks_.empty(); }
  // The sum of their sizes when they are complete.
  uint64_t bytes() const { return bytes_; }
  // The beginning of the chunk whose assembly began first.
  uint64_t oldest() const { return chunks_.front().begin(); }
  void clear();

 private:
  std::list<PartialChunk> chunks_;  // in the order in which their assembly began
  std::unordered_map<uint64_t, std::list<PartialChunk>::iterator> places_;  // by address in raw space
  uint64_t bytes_ = 0;
};

}  // namespace scorpio::format
