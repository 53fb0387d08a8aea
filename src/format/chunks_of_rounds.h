// The encoded chunks of one I/O rank that are placed together with those of the other I/O ranks, before a
// synchronisation point: those of each round, until their address is known (session/state/chunk_rounds.h).
// Independent; one thread at a time.
#pragma once

#include <cstdint>
#include <map>

#include "format/encoded_chunks.h"

namespace scorpio::format {

class ChunksOfRounds {
 public:
  // Of `round`, a later one than those before.
  void add(uint64_t round, EncodedChunks chunks);
  uint64_t bytes() const { return bytes_; }
  uint64_t bytes_of(uint64_t round) const;
  // The chunk that begins at this byte of raw space, as it was added last; null if there is none.
  const EncodedChunks::Encoded* find(uint64_t begin) const;
  // Those of the round, which do not change until they are removed; null: there are none.
  const EncodedChunks* of(uint64_t round) const;
  // They are in the file, up to `end`; 0: they are lost.
  void remove(uint64_t round, uint64_t end);
  // One past the last byte of the file that removed ones were written to; 0: none.
  uint64_t end() const { return end_; }
  // Moves all of them to `held`, where there is none that was encoded later.
  void give_back(EncodedChunks& held);
  void clear();

 private:
  std::map<uint64_t, EncodedChunks> rounds_;
  uint64_t bytes_ = 0;
  uint64_t end_ = 0;
};

}  // namespace scorpio::format
