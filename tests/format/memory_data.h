// The data of a file in memory, for tests of what lies above: remembers its writes, and may fail.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/data_access.h"

namespace scorpio::format {

class MemoryData final : public storage::DataAccess {
 public:
  Status write(uint64_t offset, std::span<const std::byte> bytes) override {
    if (fails) return Status(Code::io, "the disk is full");
    writes.emplace_back(offset, bytes.size());
    if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
    std::ranges::copy(bytes, content.begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
  }
  Status read(uint64_t offset, std::span<std::byte> bytes) override {
    if (fails) return Status(Code::io, "a bad block");
    if (content.size() < offset + bytes.size()) return Status(Code::format, "the file is too short");
    std::ranges::copy(std::span(content).subspan(offset, bytes.size()), bytes.begin());
    return {};
  }
  void adopt(const storage::Container&) override {}
  Result<std::unique_ptr<storage::StoredFile>> share() override {
    return Status(Code::unsupported, "memory");
  }
  void set_path(std::string) override {}
  Status sync() override { return {}; }
  Status check_close() override { return {}; }
  Status close() override { return {}; }

  std::vector<std::byte> content;
  std::vector<std::pair<uint64_t, uint64_t>> writes;  // address, bytes
  bool fails = false;
};

}  // namespace scorpio::format
