// The interface through which the header reader reads a file. Local; thread-safe if the implementation is.
#pragma once

#include <algorithm>
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

// Reads from memory, which the caller keeps valid.
class MemorySource final : public HeaderSource {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : bytes_(bytes) {}

  uint64_t size_bytes() const override { return bytes_.size(); }
  Status read(uint64_t offset, std::span<std::byte> out) override {
    std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(offset), out.size(), out.begin());
    return {};
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace scorpio::format::cdf
