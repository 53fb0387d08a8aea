// The destination and the source of the bytes of a file's raw space; the interface of a file in the I/O
// phase. The raw space consists of the bytes of the file if data are contiguous; otherwise the implementation
// defines it. Independent. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"

namespace scorpio::storage {

class Sink {
 public:
  virtual ~Sink() = default;
  // Writes all of `bytes`, or fails.
  virtual Status write(uint64_t offset, std::span<const std::byte> bytes) = 0;
};

class Source {
 public:
  virtual ~Source() = default;
  // Fills all of `bytes`, or fails. Bytes that were never written are zero.
  virtual Status read(uint64_t offset, std::span<std::byte> bytes) = 0;
};

}  // namespace scorpio::storage
