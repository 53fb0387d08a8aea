#include "storage/memory_store.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "base/mutex.h"
#include "storage/system_error.h"

namespace scorpio::storage {
namespace {

constexpr uint64_t k_page_bytes = 64 << 10;
constexpr uint64_t k_max_file_bytes = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());

enum class Keep { bytes, sizes_only };

// The part of a transfer that lies in one page.
struct Piece {
  uint64_t page;
  size_t at;    // offset in the page
  size_t done;  // bytes of the transfer before it
  size_t count;
};

std::vector<Piece> pieces(uint64_t offset, size_t bytes) {
  std::vector<Piece> result;
  for (size_t done = 0; done < bytes; done += result.back().count) {
    const uint64_t from = offset + done;
    const auto at = static_cast<size_t>(from % k_page_bytes);
    result.push_back({from / k_page_bytes, at, done, std::min<size_t>(bytes - done, k_page_bytes - at)});
  }
  return result;
}

// Contents of one file, shared by all who have it open.
class Contents {
 public:
  explicit Contents(Keep keep) : keep_(keep) {}

  void write(std::span<const std::byte> bytes, uint64_t offset) {
    const MutexLock lock(mutex_);
    if (!bytes.empty()) size_ = std::max(size_, offset + bytes.size());
    if (keep_ == Keep::sizes_only) return;
    for (const Piece& piece : pieces(offset, bytes.size())) {
      std::vector<std::byte>& memory = pages_[piece.page];
      memory.resize(k_page_bytes);
      std::memcpy(memory.data() + piece.at, bytes.data() + piece.done, piece.count);
    }
  }

  size_t read(std::span<std::byte> bytes, uint64_t offset) {
    const MutexLock lock(mutex_);
    if (offset >= size_) return 0;
    const size_t total = static_cast<size_t>(std::min<uint64_t>(bytes.size(), size_ - offset));
    for (const Piece& piece : pieces(offset, total)) {
      const auto found = pages_.find(piece.page);
      if (found == pages_.end()) {
        std::memset(bytes.data() + piece.done, 0, piece.count);
      } else {
        std::memcpy(bytes.data() + piece.done, found->second.data() + piece.at, piece.count);
      }
    }
    return total;
  }

  uint64_t size() {
    const MutexLock lock(mutex_);
    return size_;
  }

  // By pages. Of a file that forgets its bytes all may be data.
  DataRange next_data(uint64_t offset) {
    const MutexLock lock(mutex_);
    if (offset >= size_) return {size_, size_};
    if (keep_ == Keep::sizes_only) return {offset, size_};
    auto page = pages_.lower_bound(offset / k_page_bytes);
    if (page == pages_.end()) return {size_, size_};
    const uint64_t begin = std::max(offset, page->first * k_page_bytes);
    uint64_t end = page->first;
    for (; page != pages_.end() && page->first == end; ++page) ++end;
    return {begin, std::min(end * k_page_bytes, size_)};
  }

  uint64_t allocated_bytes() {
    const MutexLock lock(mutex_);
    return keep_ == Keep::sizes_only ? size_ : pages_.size() * k_page_bytes;
  }

  void truncate(uint64_t size) {
    const MutexLock lock(mutex_);
    size_ = size;
    const uint64_t kept_pages = size / k_page_bytes + (size % k_page_bytes != 0 ? 1 : 0);
    pages_.erase(pages_.lower_bound(kept_pages), pages_.end());
    // What a later write brings back into the file must read as zeros.
    const auto last = pages_.find(size / k_page_bytes);
    if (last == pages_.end()) return;
    std::fill(last->second.begin() + static_cast<std::ptrdiff_t>(size % k_page_bytes), last->second.end(),
              std::byte{0});
  }

  bool lock_for(const void* owner) {
    const MutexLock lock(mutex_);
    if (locked_by_ != nullptr && locked_by_ != owner) return false;
    locked_by_ = owner;
    return true;
  }

  void unlock_for(const void* owner) {
    const MutexLock lock(mutex_);
    if (locked_by_ == owner) locked_by_ = nullptr;
  }

 private:
  const Keep keep_;
  Mutex mutex_;
  std::map<uint64_t, std::vector<std::byte>> pages_ GUARDED_BY(mutex_);  // absent: zeros
  uint64_t size_ GUARDED_BY(mutex_) = 0;
  const void* locked_by_ GUARDED_BY(mutex_) = nullptr;
};

class Names {
 public:
  explicit Names(Keep keep) : keep_(keep) {}

  Result<std::shared_ptr<Contents>> open(const std::string& path, OpenMode mode) {
    const MutexLock lock(mutex_);
    const auto found = files_.find(path);
    const bool present = found != files_.end();
    if (mode == OpenMode::create_new && present) {
      return failure(Code::exists, "cannot create {}: it exists; remove it or choose another name", path);
    }
    if (mode != OpenMode::read && mode != OpenMode::read_write) {
      if (!present) return files_[path] = std::make_shared<Contents>(keep_);
      if (mode == OpenMode::create_truncate) found->second->truncate(0);
    }
    if (!present) return absent("open", path);
    return found->second;
  }

  const char* kind() const { return keep_ == Keep::bytes ? "memory" : "null"; }

  std::shared_ptr<Contents> find(const std::string& path) {
    const MutexLock lock(mutex_);
    const auto found = files_.find(path);
    return found == files_.end() ? nullptr : found->second;
  }

  Status remove(const std::string& path) {
    const MutexLock lock(mutex_);
    return files_.erase(path) != 0 ? Status() : absent("remove", path);
  }

  Status rename(const std::string& from, const std::string& to) {
    const MutexLock lock(mutex_);
    const auto found = files_.find(from);
    if (found == files_.end()) return absent("rename", from);
    if (from == to) return {};
    files_[to] = found->second;
    files_.erase(from);
    return {};
  }

 private:
  static Status absent(const char* action, const std::string& path) {
    return failure(Code::not_found, "cannot {} {}: there is no such file; check the path", action, path);
  }

  const Keep keep_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Contents>> files_ GUARDED_BY(mutex_);
};

class MemoryFile final : public StoredFile {
 public:
  MemoryFile(std::shared_ptr<Contents> contents, std::shared_ptr<Names> names, std::string path,
             bool writable)
      : contents_(std::move(contents)),
        names_(std::move(names)),
        path_(std::move(path)),
        writable_(writable) {}
  ~MemoryFile() override { contents_->unlock_for(this); }

  Status write_at(std::span<const std::byte> bytes, uint64_t offset) override {
    SCORPIO_TRY(check_writable());
    SCORPIO_TRY(check_end(bytes.size(), offset));
    contents_->write(bytes, offset);
    return {};
  }

  Result<size_t> read_at(std::span<std::byte> bytes, uint64_t offset) override {
    SCORPIO_TRY(check_open());
    SCORPIO_TRY(check_end(bytes.size(), offset));
    return contents_->read(bytes, offset);
  }

  Result<uint64_t> size() override {
    SCORPIO_TRY(check_open());
    return contents_->size();
  }

  Result<DataRange> next_data(uint64_t offset) override {
    SCORPIO_TRY(check_open());
    return contents_->next_data(offset);
  }

  Result<uint64_t> allocated_bytes() override {
    SCORPIO_TRY(check_open());
    return contents_->allocated_bytes();
  }

  Status truncate(uint64_t size) override {
    SCORPIO_TRY(check_writable());
    SCORPIO_TRY(check_end(size, 0));
    contents_->truncate(size);
    return {};
  }

  Status sync() override { return check_open(); }

  Status lock_exclusive() override {
    SCORPIO_TRY(check_writable());
    if (contents_->lock_for(this)) return {};
    return failure(Code::busy, "{} is locked: another opener is writing it; wait for it to close", path_);
  }

  Result<bool> is_at(const std::string& path) override {
    SCORPIO_TRY(check_open());
    return names_->find(path) == contents_;
  }

  Result<FileSystemFacts> facts() override {
    SCORPIO_TRY(check_open());
    return FileSystemFacts{.kind = names_->kind()};
  }

  Status check_close() override { return check_open(); }

  Status close() override {
    SCORPIO_TRY(check_open());
    contents_->unlock_for(this);
    open_ = false;
    return {};
  }

 private:
  Status check_open() const { return open_ ? Status() : closed_failure(path_); }

  Status check_writable() const {
    SCORPIO_TRY(check_open());
    return writable_ ? Status() : read_only_failure(path_);
  }

  Status check_end(uint64_t bytes, uint64_t offset) const {
    const auto end = checked_add(offset, bytes);
    if (end && *end <= k_max_file_bytes) return {};
    return failure(Code::limit, "{} bytes at offset {} of {} end beyond {}, the largest possible file size",
                   bytes, offset, path_, k_max_file_bytes);
  }

  std::shared_ptr<Contents> contents_;
  std::shared_ptr<Names> names_;
  std::string path_;
  bool writable_;
  bool open_ = true;
};

class MemoryStore final : public Store {
 public:
  explicit MemoryStore(Keep keep) : names_(std::make_shared<Names>(keep)) {}

  Result<std::unique_ptr<StoredFile>> open(const std::string& path, OpenMode mode) override {
    SCORPIO_ASSIGN(auto contents, names_->open(path, mode));
    return std::unique_ptr<StoredFile>(
        std::make_unique<MemoryFile>(std::move(contents), names_, path, mode != OpenMode::read));
  }

  Result<bool> exists(const std::string& path) override { return names_->find(path) != nullptr; }
  Status remove(const std::string& path) override { return names_->remove(path); }
  Status rename(const std::string& from, const std::string& to) override { return names_->rename(from, to); }
  Status sync_directory_of(const std::string&) override { return {}; }

 private:
  std::shared_ptr<Names> names_;
};

}  // namespace

std::unique_ptr<Store> make_memory_store() { return std::make_unique<MemoryStore>(Keep::bytes); }

std::unique_ptr<Store> make_null_store() { return std::make_unique<MemoryStore>(Keep::sizes_only); }

}  // namespace scorpio::storage
