// The interface through which the header reader reads a file. Local; thread-safe if the implementation is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/status.h"

namespace scorpio::format::cdf {

class HeaderSource {
 public:
  virtual ~HeaderSource() = default;

  // The size of the whole file, with its data.
  virtual uint64_t size_bytes() const = 0;

  // Fills `out` with the bytes from `offset` on, which are within size_bytes().
  virtual Status read(uint64_t offset, std::span<std::byte> out) = 0;
};

}  // namespace scorpio::format::cdf
