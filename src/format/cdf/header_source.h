// Where the header reader gets a file's bytes from. Local; as thread-safe as what is behind it.
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

  // Of the whole file, data and all.
  virtual uint64_t size_bytes() const = 0;

  // Fills all of `out` with the bytes from `offset` on; they lie within size_bytes().
  virtual Status read(uint64_t offset, std::span<std::byte> out) = 0;
};

// Of bytes in memory, which the caller keeps valid.
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
