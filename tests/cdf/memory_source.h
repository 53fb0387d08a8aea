// A header in memory, for the reader.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "format/cdf/header_source.h"

namespace scorpio::format::cdf::test {

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

}  // namespace scorpio::format::cdf::test
