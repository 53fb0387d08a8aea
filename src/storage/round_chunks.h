// The encoded pieces of raw space of one I/O rank that get their addresses in placement rounds, in place of
// the regions of an arena (session/state/chunk_rounds.h). Independent; the thread that writes, except where
// stated.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace scorpio::storage {

class RoundChunks {
 public:
  // As that of EncodingSink.
  virtual void begin_round(uint64_t round) = 0;
  // The last round that was begun: the pieces that were complete before it are divided among earlier ones.
  virtual uint64_t round() const = 0;
  // The bytes of the pieces of an earlier round, until they are placed.
  virtual uint64_t round_bytes(uint64_t round) const = 0;
  // Writes these pieces, from `address` on. Also in a thread beside the one that makes the other calls, which
  // go on, except those that place or discard pieces.
  virtual Status place_round(uint64_t round, uint64_t address) = 0;
  // The number of bytes of pieces that have no address in the file yet, of rounds or not; check_close() has
  // encoded all incomplete pieces. Any thread.
  virtual uint64_t unplaced_bytes() const = 0;

 protected:
  ~RoundChunks() = default;
};

}  // namespace scorpio::storage
