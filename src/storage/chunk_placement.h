// The locations in one file of the encoded pieces of raw space of one I/O rank, whose sizes are known late:
// in an arena or in placement rounds before a synchronisation point, or at it. Independent; one thread,
// except where stated.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "storage/round_chunks.h"

namespace scorpio::storage {

// The location in the file of a chunk, or another piece of raw space that is stored as a whole.
struct IndexEntry {
  uint64_t begin = 0;    // of the piece in raw space
  uint64_t address = 0;  // in the file
  uint64_t bytes = 0;    // as stored
  uint32_t skipped = 0;  // bit i: filter i of the variable was not applied
  // Its previous location and size; no bytes if it had none.
  uint64_t old_address = 0;
  uint64_t old_bytes = 0;
  // One past the last index of the first dimension up to which the variable was put, where that grows. If an
  // inner dimension grows: one past the element of the chunk, row-major, whose indices are the last ones up
  // to which the chunk was put in each dimension.
  uint64_t frames = 0;

  bool is_moved() const { return address != old_address || bytes != old_bytes; }
  friend bool operator==(const IndexEntry&, const IndexEntry&) = default;
};

class ChunkPlacement : public RoundChunks {
 public:
  // The ranges to which pieces may be written before a synchronisation point determines their addresses:
  // `region_bytes` bytes each, the first one at `begin`, each next one `stride_bytes` after the previous one.
  // A region is used when pieces of `most_held_bytes` bytes are in memory, at least those of a region.
  struct Arena {
    uint64_t begin = 0;
    uint64_t region_bytes = 0;
    uint64_t stride_bytes = 0;
    uint64_t most_held_bytes = 0;

    friend bool operator==(const Arena&, const Arena&) = default;
  };

  // Writes some of the pieces without an address to the next regions of the arena, of which there are `count`
  // unused ones.
  virtual Status fill_regions(uint64_t count) = 0;
  // Writes these pieces, from `address` on.
  virtual Status place(uint64_t address) = 0;
  // The same for the first of them, as many as have `bytes` bytes together. Returns the address of the next
  // one.
  virtual Result<uint64_t> place_first(uint64_t address, uint64_t bytes) = 0;
  // Sets the arena, which replaces the previous one.
  virtual void use_arena(const Arena& arena) = 0;
  // The pieces of rounds that were not placed get their addresses by place().
  virtual void end_rounds() = 0;

  // One past the last byte of the arena that this I/O rank has used; 0: none.
  virtual uint64_t arena_end() const = 0;
  // The locations of the pieces that were written since the last call, for the metadata.
  virtual std::vector<IndexEntry> take_index() = 0;

 protected:
  ~ChunkPlacement() = default;
};

}  // namespace scorpio::storage
