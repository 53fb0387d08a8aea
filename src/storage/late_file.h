// A file whose changes can be kept in memory and made later, together and in their order. Local; one thread
// at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace scorpio::storage {

// Of a file that another object has open and closes. While changes are kept, its user sees the file as it is
// with them; it can only grow. Others may write to the file at the same time, at other places.
class LateFile final : public StoredFile {
 public:
  explicit LateFile(std::shared_ptr<StoredFile> file) : file_(std::move(file)) {}

  // From now on changes are kept.
  void keep() { keeps_ = true; }
  // Makes the changes that were kept, up to the first failure. In any thread; nothing else is called then.
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
    uint64_t at = 0;  // where it is written, or the size to which the file grows
    std::vector<std::byte> bytes{};
  };
  Status make_one(const Change& change);

  std::shared_ptr<StoredFile> file_;
  bool keeps_ = false;
  std::vector<Change> changes_;
  uint64_t size_ = 0;  // of the file, at least, with them
};

}  // namespace scorpio::storage
