#include "storage/memory_store.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/checked.h"
#include "base/mutex.h"
#include "storage/object_key.h"
#include "storage/system_error.h"

namespace scorpio::storage {
namespace {

constexpr uint64_t k_page_bytes = 64 << 10;
constexpr uint64_t k_memory_file_bytes = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());

enum class Keep { bytes, sizes_only };

// The part of a transfer in one page.
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

// The contents of one file, shared by all handles that have it open.
class Contents {
 public:
  explicit Contents(Keep keep) : keep_(keep) {}

  void write(std::span<const std::byte> bytes, uint64_t offset) {
    const MutexLock lock(mutex_);
    if (!bytes.empty()) size_ = std::max(size_, offset + bytes.size());
    if (keep_ == Keep::sizes_only) return;
    for (const Piece& piece : pieces(offset, bytes.size())) {
      std::vector<std::byte>& memory = pages_.try_emplace(piece.page, k_page_bytes).first->second;
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

  // In units of pages. In a file of the null store all bytes may be data.
  ByteRange next_data(uint64_t offset) {
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
    // The rest of the last page is cleared, because it must be zero if a later write extends the file.
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

  bool is_locked_for(const void* owner) const {
    const MutexLock lock(mutex_);
    return locked_by_ == owner;
  }

  bool is_locked_by_other(const void* owner) const {
    const MutexLock lock(mutex_);
    return locked_by_ != nullptr && locked_by_ != owner;
  }

  void unlock_for(const void* owner) {
    const MutexLock lock(mutex_);
    if (locked_by_ == owner) locked_by_ = nullptr;
  }

 private:
  const Keep keep_;
  mutable Mutex mutex_;
  std::map<uint64_t, std::vector<std::byte>> pages_ GUARDED_BY(mutex_);  // absent: zeros
  uint64_t size_ GUARDED_BY(mutex_) = 0;
  const void* locked_by_ GUARDED_BY(mutex_) = nullptr;
};

// The objects with a name: files, and folders, which have no contents.
class Names {
 public:
  using Entries = std::map<std::string, std::shared_ptr<Contents>>;

  explicit Names(Keep keep) : keep_(keep) {}

  Result<std::shared_ptr<Contents>> open(const std::string& path, OpenMode mode) {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(path);
    const bool present = found != entries_.end();
    if (present && found->second == nullptr)
      return failure(Code::format, "{} is a folder, not a regular file: choose the name of a file", path);
    if (mode == OpenMode::create_new && present) {
      return failure(Code::exists, "cannot create {}: it exists; remove it or choose another name", path);
    }
    if (makes(mode)) {
      if (!present) return entries_[path] = std::make_shared<Contents>(keep_);
      if (mode == OpenMode::create_truncate) found->second->truncate(0);
    }
    if (!present) return absent("open", path);
    return found->second;
  }

  const char* kind() const { return keep_ == Keep::bytes ? "memory" : "null"; }

  // Returns null for a folder too.
  std::shared_ptr<Contents> find(const std::string& path) {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(path);
    return found == entries_.end() ? nullptr : found->second;
  }

  bool exists(const std::string& path) {
    const MutexLock lock(mutex_);
    return entries_.contains(path);
  }

  bool is_folder(const std::string& path) {
    const MutexLock lock(mutex_);
    return has_folder(path);
  }

  Status remove(const std::string& path) {
    const MutexLock lock(mutex_);
    if (has_folder(path)) return failure(Code::io, "cannot remove {}: it is a folder", path);
    return entries_.erase(path) != 0 ? Status() : absent("remove", path);
  }

  // As in the operating system, a folder can replace only an empty one.
  Status rename(const std::string& from, const std::string& to) {
    const MutexLock lock(mutex_);
    const auto found = entries_.find(from);
    if (found == entries_.end()) return absent("rename", from);
    if (from == to) return {};
    const bool folder = found->second == nullptr;
    const bool fits = !entries_.contains(to) || has_folder(to) == folder;
    if (!fits || (folder && begin_of(to) != end_of(to))) return taken("rename to", to);
    entries_[to] = found->second;
    entries_.erase(found);
    if (folder) put_in(to, taken_out(from));
    return {};
  }

  Status make_folder(const std::string& path) {
    const MutexLock lock(mutex_);
    return entries_.emplace(path, nullptr).second ? Status() : taken("make the folder", path);
  }

  Status remove_folder(const std::string& path) {
    const MutexLock lock(mutex_);
    if (!has_folder(path)) return absent("remove the folder", path);
    entries_.erase(begin_of(path), end_of(path));
    entries_.erase(path);
    return {};
  }

  Status exchange(const std::string& one, const std::string& other) {
    const MutexLock lock(mutex_);
    for (const std::string& path : {one, other}) {
      if (!has_folder(path)) return absent("exchange", path);
    }
    Entries of_one = taken_out(one);
    put_in(one, taken_out(other));
    put_in(other, std::move(of_one));
    return {};
  }

  Status put(const std::string& folder, const std::string& key, std::span<const std::byte> bytes,
             bool exclusive) {
    const std::string path = path_of_object(folder, key);
    auto contents = std::make_shared<Contents>(keep_);
    contents->write(bytes, 0);
    const MutexLock lock(mutex_);
    if (!has_folder(folder)) return absent("put an object into", folder);
    for (size_t slash = path.find('/', folder.size() + 1); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
      if (entries_.emplace(path.substr(0, slash), nullptr).first->second != nullptr)
        return taken("put", path);
    }
    if (entries_.contains(path) && (exclusive || has_folder(path))) return taken("put", path);
    entries_[path] = std::move(contents);
    return {};
  }

  Result<std::vector<std::string>> list(const std::string& folder) {
    const MutexLock lock(mutex_);
    if (!has_folder(folder)) return absent("list the folder", folder);
    std::vector<std::string> keys;
    const auto end = end_of(folder);
    for (auto entry = begin_of(folder); entry != end; ++entry) {
      if (entry->second != nullptr) keys.push_back(entry->first.substr(folder.size() + 1));
    }
    return keys;
  }

 private:
  // Each process has a null store of its own, which does not have the names that others have made.
  bool makes(OpenMode mode) const {
    return mode == OpenMode::create_new || mode == OpenMode::create_truncate ||
           (mode == OpenMode::made_elsewhere && keep_ == Keep::sizes_only);
  }

  bool has_folder(const std::string& path) const REQUIRES(mutex_) {
    const auto found = entries_.find(path);
    return found != entries_.end() && found->second == nullptr;
  }

  // The names in a folder begin with "<folder>/"; they sort before "<folder>0", the next character.
  Entries::iterator begin_of(const std::string& folder) REQUIRES(mutex_) {
    return entries_.lower_bound(folder + "/");
  }
  Entries::iterator end_of(const std::string& folder) REQUIRES(mutex_) {
    static_assert('/' + 1 == '0');
    return entries_.lower_bound(folder + "0");
  }

  // Returns the entries with their names relative to the folder.
  Entries taken_out(const std::string& folder) REQUIRES(mutex_) {
    Entries out;
    const auto begin = begin_of(folder);
    const auto end = end_of(folder);
    for (auto entry = begin; entry != end; ++entry) {
      out.emplace(entry->first.substr(folder.size() + 1), std::move(entry->second));
    }
    entries_.erase(begin, end);
    return out;
  }

  void put_in(const std::string& folder, Entries those) REQUIRES(mutex_) {
    for (auto& [name, contents] : those) entries_[path_of_object(folder, name)] = std::move(contents);
  }

  static Status absent(const char* action, const std::string& path) {
    return failure(Code::not_found, "cannot {} {}: there is no such file; check the path", action, path);
  }

  static Status taken(const char* action, const std::string& path) {
    return failure(Code::exists, "cannot {} {}: this name, or a part of it, is taken; choose another", action,
                   path);
  }

  const Keep keep_;
  Mutex mutex_;
  Entries entries_ GUARDED_BY(mutex_);
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

  Result<ByteRange> next_data(uint64_t offset) override {
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

  bool is_locked() const override { return contents_->is_locked_for(this); }

  Result<bool> is_locked_by_other() override {
    SCORPIO_TRY(check_open());
    return contents_->is_locked_by_other(this);
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
    if (end && *end <= k_memory_file_bytes) return {};
    return failure(Code::limit, "{} bytes at offset {} of {} end beyond {}, the largest possible file size",
                   bytes, offset, path_, k_memory_file_bytes);
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

  Result<bool> exists(const std::string& path) override { return names_->exists(path); }
  Status check_replaceable(const std::string& path) override {
    if (!names_->is_folder(path)) return {};
    return failure(Code::exists, "{} is a folder; give the name of a file in it", path);
  }
  Status remove(const std::string& path) override { return names_->remove(path); }
  Status rename(const std::string& from, const std::string& to) override { return names_->rename(from, to); }
  Status sync_directory_of(const std::string&) override { return {}; }
  Status make_folder(const std::string& path) override { return names_->make_folder(path); }
  Status remove_folder(const std::string& path) override { return names_->remove_folder(path); }
  Status exchange(const std::string& one, const std::string& other) override {
    return names_->exchange(one, other);
  }
  Status sync_folder(const std::string& path) override { return names_->list(path).status(); }

  Status put(const std::string& folder, const std::string& key, std::span<const std::byte> bytes,
             const PutOptions& options) override {
    SCORPIO_TRY(check_key(key));
    return names_->put(folder, key, bytes, options.exclusive);
  }

  Status get(const std::string& folder, const std::string& key, std::vector<std::byte>& bytes) override {
    SCORPIO_TRY(check_key(key));
    const auto contents = names_->find(path_of_object(folder, key));
    if (contents == nullptr) {
      return failure(Code::not_found, "there is no object {} in {}; check its folder and its key", key,
                     folder);
    }
    bytes.resize(contents->size());
    (void)contents->read(bytes, 0);
    return {};
  }

  Status remove_object(const std::string& folder, const std::string& key) override {
    SCORPIO_TRY(check_key(key));
    return names_->remove(path_of_object(folder, key));
  }

  Result<std::vector<std::string>> list(const std::string& folder) override { return names_->list(folder); }

 private:
  std::shared_ptr<Names> names_;
};

}  // namespace

std::unique_ptr<Store> make_memory_store() { return std::make_unique<MemoryStore>(Keep::bytes); }

std::unique_ptr<Store> make_null_store() { return std::make_unique<MemoryStore>(Keep::sizes_only); }

}  // namespace scorpio::storage
