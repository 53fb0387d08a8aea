// One open file, and so one descriptor, used by several parts of one rank: its data and its metadata. Local;
// one thread.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "storage/container.h"
#include "storage/store.h"

namespace scorpio::storage {

// A reference to a file that another object has opened and closes. close() ends only this use; calls fail
// after the file itself was closed.
class SharedFile final : public StoredFile {
 public:
  explicit SharedFile(std::shared_ptr<StoredFile> file) : file_(std::move(file)) {}

  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override {
    return file_ ? file_->write_at(bytes, offset) : closed();
  }
  Status write_parts(Parts parts, uint64_t offset) override {
    return file_ ? file_->write_parts(parts, offset) : closed();
  }
  Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) override {
    return file_ ? file_->read_at(bytes, offset) : Result<size_t>(closed());
  }
  Result<uint64_t> size() override { return file_ ? file_->size() : Result<uint64_t>(closed()); }
  Result<ByteRange> next_data(uint64_t offset) override {
    return file_ ? file_->next_data(offset) : Result<ByteRange>(closed());
  }
  Result<uint64_t> allocated_bytes() override {
    return file_ ? file_->allocated_bytes() : Result<uint64_t>(closed());
  }
  Status truncate(uint64_t size) override { return file_ ? file_->truncate(size) : closed(); }
  Status sync() override { return file_ ? file_->sync() : closed(); }
  Status lock_exclusive() override { return file_ ? file_->lock_exclusive() : closed(); }
  bool is_locked() const override { return file_ != nullptr && file_->is_locked(); }
  Result<bool> is_locked_by_other() override {
    return file_ ? file_->is_locked_by_other() : Result<bool>(closed());
  }
  Result<bool> is_at(const std::string& path) override {
    return file_ ? file_->is_at(path) : Result<bool>(closed());
  }
  Result<FileSystemFacts> facts() override {
    return file_ ? file_->facts() : Result<FileSystemFacts>(closed());
  }
  Status check_close() override { return file_ ? file_->check_close() : closed(); }
  std::optional<int> descriptor() const override { return file_ ? file_->descriptor() : std::nullopt; }
  Status close() override {
    if (!file_) return closed();
    file_.reset();
    return {};
  }

 private:
  static Status closed() { return failure(Code::state, "the file is closed"); }
  std::shared_ptr<StoredFile> file_;
};

// A reference to the single file of `container`, for its metadata.
inline std::unique_ptr<StoredFile> share(const Container& container) {
  std::shared_ptr<StoredFile> file = container.late();
  return std::make_unique<SharedFile>(file != nullptr ? std::move(file) : container.file());
}

}  // namespace scorpio::storage
