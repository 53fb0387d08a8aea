// The encoded chunks of one I/O rank that have no place in the file yet, and their way to it: a
// synchronisation point gives them an address, or they fill regions of the arena before. Independent; one
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "base/result.h"
#include "codec/pipeline.h"
#include "format/chunk_finder.h"
#include "storage/chunk_placement.h"
#include "storage/sink.h"

namespace scorpio::format {

class EncodedChunks {
 public:
  using Encoded = codec::Pipeline::Encoded;
  using Arena = storage::ChunkPlacement::Arena;
  // Is called for each chunk, before it is written to its place.
  using Placed = std::function<void(uint64_t begin, const FoundChunk& place)>;

  // `begin`: of the chunk in raw space. Replaces the chunk that was added before.
  void add(uint64_t begin, Encoded chunk);
  // Null if the chunk is not among them.
  const Encoded* find(uint64_t begin) const;
  bool empty() const { return chunks_.empty(); }
  size_t count() const { return chunks_.size(); }
  uint64_t bytes() const { return bytes_; }
  void clear();
  // Takes the chunks out that are not in `kept`.
  EncodedChunks split(const std::set<uint64_t>& kept);
  // Adds those of `earlier` that are not among them.
  void take_back(EncodedChunks earlier);

  // Writes chunks in the order of raw space from `address` on, as far as they fit into `most` bytes. Returns
  // one past the last byte. Short chunks are written together, long ones without another copy.
  Result<uint64_t> write(storage::Sink& file, uint64_t address, uint64_t most, const Placed& placed);

  // Writes the first chunks in this order, until they have `bytes` bytes. Returns one past the last byte.
  Result<uint64_t> write_first(storage::Sink& file, uint64_t address, uint64_t bytes, const Placed& placed);

  // Writes all of them in the order of raw space from `address` on, and keeps them.
  Status write_copy(storage::Sink& file, uint64_t address) const;
  // Calls `placed` for each as if it had been written so. Returns one past the last byte.
  uint64_t enter(uint64_t address, const Placed& placed) const;

  // ---- the arena ----
  void use_arena(const Arena& arena);
  // Whether some of them are to be written to a region.
  bool fill_region() const { return arena_.region_bytes > 0 && bytes_ >= arena_.most_held_bytes; }
  // Writes chunks to the next region. A chunk that is larger than a region is kept.
  Status empty_into_arena(storage::Sink& file, const Placed& placed);
  // Whether a chunk of this size, which is not among them, would be one too many, and has the size of a
  // region.
  bool is_region(uint64_t bytes) const {
    return arena_.region_bytes == bytes && bytes_ + bytes >= arena_.most_held_bytes;
  }
  // The address of the next region, which is used from now on for such a chunk.
  uint64_t take_region();
  // Writes such a chunk to the next region without a copy.
  Status write_to_region(storage::Sink& file, uint64_t begin, std::span<const std::byte> chunk,
                         const Placed& placed);
  // One past the last byte of the arena that is used; 0: none.
  uint64_t arena_end() const { return arena_end_; }

 private:
  uint64_t next_region() const { return arena_.begin + regions_ * arena_.stride_bytes; }

  std::map<uint64_t, Encoded> chunks_;  // by address in raw space
  uint64_t bytes_ = 0;
  Arena arena_;
  uint64_t regions_ = 0;    // number of regions of the arena that are used
  uint64_t arena_end_ = 0;  // one past the last byte in these regions
};

}  // namespace scorpio::format
