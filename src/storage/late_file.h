// A file whose changes can be held in memory and applied later, all together and in order. Local; used by one
// thread at a time.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "storage/forwarding_file.h"

namespace scorpio::storage {

// Wraps a file that another object opens and closes. While changes are held, reads return the content that
// the file will have once they are applied, and the file can only grow. Other writers may write to other
// parts of the file at the same time, up to the largest size that the held changes give it.
class LateFile final : public ForwardingFile {
 public:
  explicit LateFile(std::shared_ptr<StoredFile> file) : ForwardingFile(std::move(file)) {}

  // Starts to hold changes in memory.
  void keep() { keeps_ = true; }
  // The bytes of the held changes.
  uint64_t kept_bytes() const;
  // Applies the held changes and stops at the first failure. May run in any thread; no other function is
  // called at the same time.
  Status make();

  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override;
  Status write_parts(Parts parts, uint64_t offset) override {
    if (!keeps_) return inner().write_parts(parts, offset);
    return write_one_by_one(parts, offset, [this](auto part, uint64_t at) { return write_at(part, at); });
  }
  Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) override;
  Result<uint64_t> size() override;
  Status truncate(uint64_t size) override;
  Status sync() override;

  Status close() override { return {}; }

 private:
  struct Change {
    enum class Kind { write, grow, sync } kind;
    uint64_t at = 0;  // the offset of a write, or the new size of the file
    std::vector<std::byte> bytes{};
  };
  Status make_one(const Change& change, uint64_t end);

  bool keeps_ = false;
  std::vector<Change> changes_;
  uint64_t size_ = 0;  // a lower bound of the file's size with the held changes
};

}  // namespace scorpio::storage
