// A store in memory whose files have so many stripes, as on Lustre: it says so, and nothing else differs.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/forwarding_file.h"
#include "storage/memory_store.h"

namespace scorpio::test {

class StripedFile final : public storage::ForwardingFile {
 public:
  StripedFile(std::unique_ptr<storage::StoredFile> inner, storage::FileSystemFacts facts)
      : ForwardingFile(std::move(inner)), facts_(std::move(facts)) {}

  Result<storage::FileSystemFacts> facts() override { return facts_; }

 private:
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
