// The destination and the source of the bytes of a file's raw space; the interface of a file in the I/O
// phase. The raw space consists of the bytes of the file if data are contiguous; otherwise the implementation
// defines it. Independent. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "storage/parts.h"

namespace scorpio::storage {

// What a sink has in addition if it encodes what it writes.
class EncodingSink {
 public:
  // What is written from now on belongs to placement round `round` or a later one
  // (session/state/chunk_rounds.h).
  virtual void begin_round(uint64_t round) = 0;
  // These bytes will be given to write() from the same memory, which nobody else uses until then, nor the
  // rest of their slot: the sink may change all of it, and other ranks may encode it. The ranges of a slot
  // are announced in ascending order. Returns the number of pieces that other ranks may encode.
  virtual size_t announce(uint64_t offset, std::span<std::byte> bytes, std::span<std::byte> slot) = 0;
  // Nobody uses memory that was announced afterwards: what was not written is not written any more.
  virtual void end_announced() = 0;

 protected:
  ~EncodingSink() = default;
};

class Sink {
 public:
  virtual ~Sink() = default;
  // Writes all of `bytes`, or fails.
  virtual Status write(uint64_t offset, std::span<const std::byte> bytes) = 0;
  // Writes all of the parts, one after the other from `offset` on, or fails.
  virtual Status write_parts(uint64_t offset, Parts parts) {
    return write_one_by_one(parts, offset, [this](auto part, uint64_t at) { return write(at, part); });
  }
  // Null: the bytes are written as they are.
  virtual EncodingSink* encoding() { return nullptr; }
};

// What a source has in addition if other ranks decode what it reads.
class DecodingSource {
 public:
  // read() will be called with these bytes and the same memory, which nobody else uses until then: the source
  // may put encoded bytes there, which other ranks decode. Returns the number of pieces that are decoded by
  // themselves.
  virtual Result<size_t> announce_read(uint64_t offset, std::span<std::byte> bytes) = 0;
  // Nobody uses memory that was announced afterwards, except in a call of read().
  virtual void end_announced_reads() = 0;

 protected:
  ~DecodingSource() = default;
};

class Source {
 public:
  virtual ~Source() = default;
  // Fills all of `bytes`, or fails. Bytes that were never written are zero.
  virtual Status read(uint64_t offset, std::span<std::byte> bytes) = 0;
  // Null: other ranks decode nothing of it.
  virtual DecodingSource* decoding() { return nullptr; }
  // One read of a range costs less than reads of parts of it, even if they are a small share of its bytes.
  virtual bool prefers_whole_ranges() const { return false; }
};

}  // namespace scorpio::storage
