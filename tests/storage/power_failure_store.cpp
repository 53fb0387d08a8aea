#include "power_failure_store.h"

#include <algorithm>
#include <utility>

namespace scorpio::storage::test {
namespace {

void apply_change(const PowerFailureStore::Change& change, std::string& text) {
  if (change.bytes.empty()) {
    text.resize(change.offset, '\0');
    return;
  }
  text.resize(std::max<size_t>(text.size(), change.offset + change.bytes.size()), '\0');
  text.replace(change.offset, change.bytes.size(), change.bytes);
}

class File final : public StoredFile {
 public:
  File(std::shared_ptr<PowerFailureStore::Contents> contents, const PowerFailureStore& store)
      : contents_(std::move(contents)), store_(store) {}
  ~File() override { unlock(); }

  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override {
    if (!bytes.empty()) change({offset, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
    return {};
  }

  Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) override {
    const std::string& text = contents_->current;
    if (offset >= text.size()) return size_t{0};
    const size_t count = std::min<size_t>(bytes.size(), text.size() - offset);
    text.copy(reinterpret_cast<char*>(bytes.data()), count, offset);
    return count;
  }

  Result<uint64_t> size() override { return uint64_t{contents_->current.size()}; }

  Result<ByteRange> next_data(uint64_t offset) override {
    return ByteRange{std::min<uint64_t>(offset, contents_->current.size()), contents_->current.size()};
  }
  Result<uint64_t> allocated_bytes() override { return uint64_t{contents_->current.size()}; }

  Status truncate(uint64_t size) override {
    change({size, {}});
    return {};
  }

  Status sync() override {
    contents_->durable = contents_->current;
    contents_->pending.clear();
    return {};
  }

  bool is_locked() const override { return contents_->locked_by == this; }
  Result<bool> is_locked_by_other() override {
    return contents_->locked_by != nullptr && contents_->locked_by != this;
  }
  Status lock_exclusive() override {
    if (contents_->locked_by != nullptr && contents_->locked_by != this) return failure(Code::busy, "locked");
    contents_->locked_by = this;
    return {};
  }

  Result<bool> is_at(const std::string& path) override {
    const auto found = store_.names().find(path);
    return found != store_.names().end() && found->second == contents_;
  }

  Result<FileSystemFacts> facts() override { return FileSystemFacts{}; }

  Status check_close() override { return {}; }

  Status close() override {
    unlock();
    return {};
  }

 private:
  void change(PowerFailureStore::Change change) {
    apply_change(change, contents_->current);
    contents_->pending.push_back(std::move(change));
  }

  void unlock() {
    if (contents_->locked_by == this) contents_->locked_by = nullptr;
  }

  std::shared_ptr<PowerFailureStore::Contents> contents_;
  const PowerFailureStore& store_;
};

}  // namespace

Result<std::unique_ptr<StoredFile>> PowerFailureStore::open(const std::string& path, OpenMode mode) {
  const bool present = names_.count(path) != 0;
  const bool makes = mode == OpenMode::create_new || mode == OpenMode::create_truncate;
  if (present && mode == OpenMode::create_new) return failure(Code::exists, "{} exists", path);
  if (!present && !makes) return failure(Code::not_found, "{} is absent", path);
  if (!present) {
    names_[path] = std::make_shared<Contents>();
    changed();
  }
  auto file = std::make_unique<File>(names_[path], *this);
  if (mode == OpenMode::create_truncate) SCORPIO_TRY(file->truncate(0));
  return std::unique_ptr<StoredFile>(std::move(file));
}

Status PowerFailureStore::remove(const std::string& path) {
  if (names_.erase(path) == 0) return failure(Code::not_found, "{} is absent", path);
  changed();
  return {};
}

Status PowerFailureStore::rename(const std::string& from, const std::string& to) {
  const auto found = names_.find(from);
  if (found == names_.end()) return failure(Code::not_found, "{} is absent", from);
  names_[to] = std::exchange(found->second, nullptr);
  names_.erase(from);
  changed();
  return {};
}

Status PowerFailureStore::sync_directory_of(const std::string&) {
  durable_names_ = names_;
  later_names_.clear();
  return {};
}

void PowerFailureStore::fail_power(const std::function<uint64_t(uint64_t)>& choose) {
  const uint64_t survived = choose(later_names_.size() + 1);
  if (survived != 0) durable_names_ = later_names_[survived - 1];
  names_ = durable_names_;
  later_names_.clear();
  for (auto& [name, contents] : names_) {
    for (const Change& change : contents->pending) {
      if (choose(2) == 1) apply_change(change, contents->durable);
    }
    contents->current = contents->durable;
    contents->pending.clear();
    contents->locked_by = nullptr;
  }
}

}  // namespace scorpio::storage::test
