// Chunks that were decoded for a part of them, because other parts may be read next. Local; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>

namespace scorpio::format {

class DecodedChunks {
 public:
  // The last one is kept, whatever its size.
  explicit DecodedChunks(uint64_t most_bytes) : most_bytes_(most_bytes) {}

  // Of the chunk that begins there in raw space; empty where it is not here.
  std::span<const std::byte> find(uint64_t begin);
  // Room for one that is not here, in place of those that were not used for the longest time.
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
  std::list<Chunk> chunks_;  // last used first
};

}  // namespace scorpio::format
