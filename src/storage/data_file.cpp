#include "storage/data_file.h"

#include <algorithm>
#include <utility>

#include "observe/counters_here.h"
#include "storage/shared_file.h"

namespace scorpio::storage {

DataFile::DataFile(Store& store, std::string path, bool writable, uint64_t block_bytes,
                   observe::Counters& counters)
    : store_(store),
      path_(std::move(path)),
      writable_(writable),
      block_bytes_(block_bytes),
      counters_(counters) {}

Status DataFile::open() {
  if (file_ != nullptr) return {};
  const auto mode = writable_ ? OpenMode::made_elsewhere : OpenMode::read;
  SCORPIO_ASSIGN(file_, store_.open(path_, mode));
  adopted_ = false;
  return {};
}

void DataFile::adopt(const Container& container) {
  file_ = container.file();
  adopted_ = true;
}

Result<std::unique_ptr<StoredFile>> DataFile::share() {
  SCORPIO_TRY(open());
  return std::unique_ptr<StoredFile>(std::make_unique<SharedFile>(file_));
}

Status DataFile::write(uint64_t offset, std::span<const std::byte> bytes) {
  SCORPIO_TRY(open());
  const bool aligned = offset % block_bytes_ == 0 && (offset + bytes.size()) % block_bytes_ == 0;
  observe::Counters& counters = observe::counters_here(counters_);
  observe::add(aligned ? counters.aligned_writes : counters.unaligned_writes, 1);
  unchecked_ = true;
  return file_->write_at(bytes, offset);
}

Status DataFile::read(uint64_t offset, std::span<std::byte> bytes) {
  SCORPIO_TRY(open());
  SCORPIO_ASSIGN(const size_t n, file_->read_at(bytes, offset));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(n), bytes.end(), std::byte{0});
  return {};
}

Status DataFile::sync() { return file_ == nullptr ? Status() : file_->sync(); }

Status DataFile::check_close() {
  if (file_ == nullptr || !unchecked_) return {};
  SCORPIO_TRY(file_->check_close());
  unchecked_ = false;
  return {};
}

Status DataFile::close() {
  const auto file = std::exchange(file_, nullptr);
  return file == nullptr || adopted_ ? Status() : file->close();
}

}  // namespace scorpio::storage
