// A store in memory whose files have so many stripes, as on Lustre: it says so, and nothing else differs.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/memory_store.h"

namespace scorpio::test {

class StripedFile final : public storage::StoredFile {
 public:
  StripedFile(std::unique_ptr<storage::StoredFile> inner, storage::FileSystemFacts facts)
      : inner_(std::move(inner)), facts_(std::move(facts)) {}

  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override {
    return inner_->write_at(bytes, offset);
  }
  Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) override {
    return inner_->read_at(bytes, offset);
  }
  Result<uint64_t> size() override { return inner_->size(); }
  Result<ByteRange> next_data(uint64_t offset) override { return inner_->next_data(offset); }
  Result<uint64_t> allocated_bytes() override { return inner_->allocated_bytes(); }
  Status truncate(uint64_t size) override { return inner_->truncate(size); }
  Status sync() override { return inner_->sync(); }
  Status lock_exclusive() override { return inner_->lock_exclusive(); }
  Result<bool> is_at(const std::string& path) override { return inner_->is_at(path); }
  Result<storage::FileSystemFacts> facts() override { return facts_; }
  Status check_close() override { return inner_->check_close(); }
  Status close() override { return inner_->close(); }

 private:
  std::unique_ptr<storage::StoredFile> inner_;
  storage::FileSystemFacts facts_;
};

class StripedStore final : public storage::Store {
 public:
  explicit StripedStore(storage::FileSystemFacts facts) : facts_(std::move(facts)) {}

  Result<std::unique_ptr<storage::StoredFile>> open(const std::string& path,
                                                    storage::OpenMode mode) override {
    SCORPIO_ASSIGN(auto file, inner_->open(path, mode));
    return std::unique_ptr<storage::StoredFile>(std::make_unique<StripedFile>(std::move(file), facts_));
  }
  Result<bool> exists(const std::string& path) override { return inner_->exists(path); }
  Status remove(const std::string& path) override { return inner_->remove(path); }
  Status rename(const std::string& from, const std::string& to) override { return inner_->rename(from, to); }
  Status sync_directory_of(const std::string& path) override { return inner_->sync_directory_of(path); }
  Status make_folder(const std::string& path) override { return inner_->make_folder(path); }
  Status remove_folder(const std::string& path) override { return inner_->remove_folder(path); }
  Status exchange(const std::string& one, const std::string& other) override {
    return inner_->exchange(one, other);
  }
  Status sync_folder(const std::string& path) override { return inner_->sync_folder(path); }
  Status put(const std::string& folder, const std::string& key, std::span<const std::byte> bytes,
             const storage::PutOptions& options) override {
    return inner_->put(folder, key, bytes, options);
  }
  Status get(const std::string& folder, const std::string& key, std::vector<std::byte>& bytes) override {
    return inner_->get(folder, key, bytes);
  }
  Status remove_object(const std::string& folder, const std::string& key) override {
    return inner_->remove_object(folder, key);
  }
  Result<std::vector<std::string>> list(const std::string& folder) override { return inner_->list(folder); }

 private:
  std::unique_ptr<storage::Store> inner_ = storage::make_memory_store();
  storage::FileSystemFacts facts_;
};

}  // namespace scorpio::test
