// Where the bytes of a file's raw space go, and where they come from: all that the I/O phase knows of a file.
// The raw space is the file's own bytes where data are contiguous, else one that the other side defines.
// Independent. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"

namespace scorpio::storage {

class Sink {
 public:
  virtual ~Sink() = default;
  // Takes all of `bytes`, or fails.
  virtual Status write(uint64_t offset, std::span<const std::byte> bytes) = 0;
};

class Source {
 public:
  virtual ~Source() = default;
  // Fills all of `bytes`, or fails. What was never written is zero.
  virtual Status read(uint64_t offset, std::span<std::byte> bytes) = 0;
};

}  // namespace scorpio::storage
