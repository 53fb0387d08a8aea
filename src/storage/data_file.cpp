#include "storage/data_file.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/mutex.h"
#include "observe/counters_here.h"
#include "storage/shared_file.h"

namespace scorpio::storage {

struct DataFile::Opened {
  Mutex mutex;
  std::shared_ptr<StoredFile> file GUARDED_BY(mutex);
  bool adopted GUARDED_BY(mutex) = false;  // the container closes it
  std::atomic<bool> unsynced = false;      // bytes may have been written since the last sync()
  std::atomic<bool> unchecked = false;     // bytes were written since check_close()
};

DataFile::DataFile(Store& store, std::string path, bool writable, uint64_t block_bytes,
                   observe::Counters& counters)
    : store_(store),
      path_(std::move(path)),
      writable_(writable),
      block_bytes_(block_bytes),
      counters_(counters),
      opened_(std::make_unique<Opened>()) {}

DataFile::DataFile(DataFile&&) noexcept = default;
DataFile::~DataFile() = default;

// The file stays open until close(), which no other call runs beside.
Result<StoredFile*> DataFile::open() {
  const MutexLock lock(opened_->mutex);
  if (opened_->file != nullptr) return opened_->file.get();
  const auto mode = writable_ ? OpenMode::made_elsewhere : OpenMode::read;
  SCORPIO_ASSIGN(opened_->file, store_.open(path_, mode));
  opened_->adopted = false;
  opened_->unsynced = true;
  return opened_->file.get();
}

std::shared_ptr<StoredFile> DataFile::opened() const {
  const MutexLock lock(opened_->mutex);
  return opened_->file;
}

// A worker may be opening the file.
void DataFile::set_path(std::string path) {
  const MutexLock lock(opened_->mutex);
  path_ = std::move(path);
}

void DataFile::adopt(const Container& container) {
  const MutexLock lock(opened_->mutex);
  opened_->file = container.file();
  opened_->adopted = true;
  opened_->unsynced = true;
}

Result<std::unique_ptr<StoredFile>> DataFile::share() {
  SCORPIO_TRY(open().status());
  return std::unique_ptr<StoredFile>(std::make_unique<SharedFile>(opened()));
}

Status DataFile::write(uint64_t offset, std::span<const std::byte> bytes) {
  return write_parts(offset, Parts(&bytes, 1));
}

Status DataFile::write_parts(uint64_t offset, Parts parts) {
  SCORPIO_ASSIGN(StoredFile* const file, open());
  const bool aligned = offset % block_bytes_ == 0 && (offset + total_bytes(parts)) % block_bytes_ == 0;
  observe::Counters& counters = observe::counters_here(counters_);
  observe::add(aligned ? counters.aligned_writes : counters.unaligned_writes, 1);
  Status written =
      parts.size() == 1 ? file->write_at(parts.front(), offset) : file->write_parts(parts, offset);
  // Now: a sync() or check_close() that ended before may not include these bytes.
  opened_->unchecked = true;
  opened_->unsynced = true;
  return written;
}

Status DataFile::read(uint64_t offset, std::span<std::byte> bytes) {
  SCORPIO_ASSIGN(StoredFile* const file, open());
  const Result<size_t> n = file->read_at(bytes, offset);
  if (!n.ok()) return n.status().of_bytes(ByteRange::at(offset, bytes.size()));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(*n), bytes.end(), std::byte{0});
  return {};
}

// A worker may have done it since the last write.
Status DataFile::sync() {
  const auto file = opened();
  if (file == nullptr || !opened_->unsynced.exchange(false)) return {};
  const Status synced = file->sync();
  if (!synced.ok()) opened_->unsynced = true;
  return synced;
}

Status DataFile::check_close() {
  const auto file = opened();
  if (file == nullptr || !opened_->unchecked.exchange(false)) return {};
  Status checked = file->check_close();
  if (!checked.ok()) opened_->unchecked = true;
  return checked;
}

Status DataFile::close() {
  const MutexLock lock(opened_->mutex);
  const auto file = std::exchange(opened_->file, nullptr);
  return file == nullptr || opened_->adopted ? Status() : file->close();
}

}  // namespace scorpio::storage
