// A file whose changes can be held in memory and applied later, all together and in order. Local; used by one
// thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace scorpio::storage {

// Wraps a file that another object opens and closes. While changes are held, reads return the content that
// the file will have once they are applied, and the file can only grow. Other writers may write to other
// parts of the file at the same time, up to the largest size that the held changes give it.
class LateFile final : public StoredFile {
 public:
  explicit LateFile(std::shared_ptr<StoredFile> file) : file_(std::move(file)) {}

  // Starts to hold changes in memory.
  void keep() { keeps_ = true; }
  // The bytes of the held changes.
  uint64_t kept_bytes() const;
  // Applies the held changes and stops at the first failure. May run in any thread; no other function is
  // called at the same time.
  Status make();

  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override;
  Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) override;
  Result<uint64_t> size() override;
  Status truncate(uint64_t size) override;
  Status sync() override;

  Result<ByteRange> next_data(uint64_t offset) override { return file_->next_data(offset); }
  Result<uint64_t> allocated_bytes() override { return file_->allocated_bytes(); }
  Status lock_exclusive() override { return file_->lock_exclusive(); }
  Result<bool> is_at(const std::string& path) override { return file_->is_at(path); }
  Result<FileSystemFacts> facts() override { return file_->facts(); }
  Status check_close() override { return file_->check_close(); }
  std::optional<int> descriptor() const override { return file_->descriptor(); }
  Status close() override { return {}; }

 private:
  struct Change {
    enum class Kind { write, grow, sync } kind;
    uint64_t at = 0;  // the offset of a write, or the new size of the file
    std::vector<std::byte> bytes{};
  };
  Status make_one(const Change& change, uint64_t end);

  std::shared_ptr<StoredFile> file_;
  bool keeps_ = false;
  std::vector<Change> changes_;
  uint64_t size_ = 0;  // a lower bound of the file's size with the held changes
};

}  // namespace scorpio::storage
