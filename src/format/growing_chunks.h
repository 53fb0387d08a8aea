// Chunks without filters and without padding whose parts are written to their place in the file as they are
// put, so that they need no memory. Independent; one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "base/interval_set.h"
#include "base/result.h"
#include "storage/sink.h"

namespace scorpio::format {

class GrowingChunks {
 public:
  // Their number is bounded.
  bool is_full() const;
  bool has(uint64_t begin) const { return chunks_.contains(begin); }
  bool empty() const { return chunks_.empty(); }
  // The first one of raw space; there is one.
  uint64_t first() const { return chunks_.begin()->first; }
  // `begin`: of the chunk in raw space; `address`: in the file. There is room, and it is none of them.
  void add(uint64_t begin, uint64_t address, uint64_t bytes);
  // Writes this part of the chunk. Returns whether all of it is written now.
  Result<bool> write(storage::Sink& file, uint64_t begin, uint64_t offset, std::span<const std::byte> bytes);
  // Writes the element `fill`, again and again, to all that is not written.
  Status fill(storage::Sink& file, uint64_t begin, std::span<const std::byte> fill);
  // Removes the chunk, and returns its place in the file.
  ByteRange remove(uint64_t begin);
  void clear() { chunks_.clear(); }

 private:
  struct Chunk {
    ByteRange place;      // in the file
    IntervalSet written;  // bytes of the chunk
  };

  std::map<uint64_t, Chunk> chunks_;  // by address in raw space
};

}  // namespace scorpio::format
