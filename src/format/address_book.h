// Computes the addresses of variables in a file from the definitions alone: every rank gets the same result,
// without messages. Variables of a block or more begin at a block; smaller ones follow each other. The
// metadata rank writes the earlier contents of the file; variables share no block with them, except the first
// block, which belongs to the metadata rank in any case.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace scorpio::format {

class AddressBook {
 public:
  // `first_free`: one past the last byte in use (0 for a new file).
  AddressBook(uint64_t block_bytes, uint64_t first_free);

  // The address of `bytes` (> 0) bytes, a multiple of 8, or of the block size for a block or more.
  // Code::limit if it exceeds 2^61.
  Result<uint64_t> place(uint64_t bytes);
  // The next multiple of 8, also in a block with data of another rank, but not in one with metadata.
  Result<uint64_t> place_next(uint64_t bytes);

  // Whether place() would return an address.
  Status check(uint64_t bytes) const;

  uint64_t block_bytes() const { return block_bytes_; }
  uint64_t end_of_data() const { return end_; }
  // Metadata were written up to `end`: later data are placed after them.
  void raise(uint64_t end);
  // The next data are written by another rank: they get blocks of their own, after the first one.
  void leave_block();

 private:
  // What the block of end_ has beside the data that were placed last.
  enum class Shared { nothing, data, metadata };
  Result<uint64_t> next(uint64_t bytes, bool whole_blocks) const;
  bool in_whole_blocks(uint64_t bytes) const;
  uint64_t take(uint64_t address, uint64_t bytes);

  uint64_t block_bytes_;
  uint64_t end_;
  Shared shared_ = Shared::metadata;
};

}  // namespace scorpio::format
