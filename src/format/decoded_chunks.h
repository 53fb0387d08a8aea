// Decoded chunks of which a part was read, kept because other parts may be read next. Local; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>

namespace scorpio::format {

class DecodedChunks {
 public:
  // The latest chunk is kept in any case, whatever its size.
  explicit DecodedChunks(uint64_t most_bytes) : most_bytes_(most_bytes) {}

  // The image of the chunk at this address of raw space; empty if it is not kept.
  std::span<const std::byte> find(uint64_t begin);
  // Returns memory for a chunk that is not kept. The least recently used chunks are discarded.
  std::span<std::byte> add(uint64_t begin, uint64_t bytes);
  void forget(uint64_t begin);
  void clear();

 private:
  struct Chunk {
    uint64_t begin;
    uint64_t bytes;
    std::unique_ptr<std::byte[]> image;
  };

  uint64_t most_bytes_;
  uint64_t bytes_ = 0;
  std::list<Chunk> chunks_;  // most recently used first
};

}  // namespace scorpio::format
