// A file that passes its calls on to another one: the base of those that change some of them. Local.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "storage/store.h"

namespace scorpio::storage {

class ForwardingFile : public StoredFile {
 public:
  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override {
    return inner_->write_at(bytes, offset);
  }
  Status write_parts(Parts parts, uint64_t offset) override { return inner_->write_parts(parts, offset); }
  Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) override {
    return inner_->read_at(bytes, offset);
  }
  Result<uint64_t> size() override { return inner_->size(); }
  Result<ByteRange> next_data(uint64_t offset) override { return inner_->next_data(offset); }
  Result<uint64_t> allocated_bytes() override { return inner_->allocated_bytes(); }
  Status truncate(uint64_t size) override { return inner_->truncate(size); }
  Status sync() override { return inner_->sync(); }
  Status lock_exclusive() override { return inner_->lock_exclusive(); }
  bool is_locked() const override { return inner_->is_locked(); }
  Result<bool> is_locked_by_other() override { return inner_->is_locked_by_other(); }
  Result<bool> is_at(const std::string& path) override { return inner_->is_at(path); }
  Result<FileSystemFacts> facts() override { return inner_->facts(); }
  Status check_close() override { return inner_->check_close(); }
  std::optional<int> descriptor() const override { return inner_->descriptor(); }
  Status close() override { return inner_->close(); }

 protected:
  explicit ForwardingFile(std::shared_ptr<StoredFile> inner) : inner_(std::move(inner)) {}
  StoredFile& inner() const { return *inner_; }

 private:
  std::shared_ptr<StoredFile> inner_;
};

}  // namespace scorpio::storage
