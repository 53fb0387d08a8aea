// The addresses of the encoded chunks that the I/O ranks write at a synchronisation point: a contiguous range
// for each I/O rank, which begins at a block of the file system as long as the gaps before these blocks are a
// small part of the file. Pure: every rank gets the same result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "format/address_book.h"

namespace scorpio::format {

class ChunkRanges {
 public:
  ChunkRanges() = default;
  // Of a file in which so many gaps of a block have been left already.
  explicit ChunkRanges(uint64_t spent_blocks) : spent_blocks_(spent_blocks) {}

  // `bytes` [I/O ranks]: of the chunks of each I/O rank; 0: none. Returns their addresses, 0 where there are
  // none. Two I/O ranks share a block only if a gap in place of it would make all gaps together larger than
  // a block for each I/O rank, less those that were spent, and 2 % of the chunks.
  Result<std::vector<uint64_t>> place(AddressBook& addresses, std::span<const uint64_t> bytes);

 private:
  uint64_t spent_blocks_ = 0;
  uint64_t chunks_ = 0;  // bytes of all chunks so far
  uint64_t gaps_ = 0;    // bytes before them that are left unused
};

}  // namespace scorpio::format
