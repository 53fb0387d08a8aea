// What an I/O rank does with the bytes of a region, without knowing files or formats.
#pragma once

#include <cstdint>
#include <span>

#include "base/status.h"

namespace scorpio::exchange {

class RegionWriter {
 public:
  virtual ~RegionWriter() = default;
  virtual Status write(uint64_t offset, std::span<const std::byte> bytes) = 0;
};

class RegionReader {
 public:
  virtual ~RegionReader() = default;
  virtual Status read(uint64_t offset, std::span<std::byte> bytes) = 0;
};

}  // namespace scorpio::exchange
