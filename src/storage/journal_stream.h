// Writes and reads a journal with its checksum, through a buffer of fixed size. Independent; one thread.
// Numbers are little-endian. The last 16 bytes are the checksum of all bytes before them and an end mark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "storage/store.h"

namespace scorpio::storage {

inline constexpr size_t k_journal_buffer_bytes = size_t{1} << 20;

// FNV-1a. It distinguishes a journal that was written to its end from one that was not, and has no other
// purpose. `checksum`: that of the bytes before `bytes`.
uint64_t checksum_of(std::span<const std::byte> bytes, uint64_t checksum = k_fnv_offset_basis);

class JournalWriter {
 public:
  explicit JournalWriter(StoredFile& journal) : journal_(journal) { buffer_.reserve(k_journal_buffer_bytes); }

  Status put(std::span<const std::byte> bytes);
  Status put_number(uint64_t number);
  // Writes the buffered bytes and the trailer.
  Status finish();

 private:
  Status append(std::span<const std::byte> bytes);
  Status flush();

  StoredFile& journal_;
  std::vector<std::byte> buffer_;
  uint64_t written_ = 0;
  uint64_t checksum_ = k_fnv_offset_basis;
};

// Whether the journal was written to its end: it has a trailer with the right checksum.
Result<bool> journal_is_complete(StoredFile& journal);

// Reads the bytes that a JournalWriter wrote, without the trailer; Code::format after the end.
class JournalReader {
 public:
  JournalReader(StoredFile& journal, uint64_t journal_bytes);

  Status get(std::span<std::byte> bytes);
  Result<uint64_t> get_number();
  Status skip(uint64_t bytes);

 private:
  StoredFile& journal_;
  uint64_t position_ = 0;
  uint64_t end_;
};

}  // namespace scorpio::storage
