#include "storage/late_file.h"

#include <algorithm>

namespace scorpio::storage {

Status LateFile::write_at(std::span<const std::byte> bytes, uint64_t offset) {
  if (!keeps_) return inner().write_at(bytes, offset);
  changes_.push_back({Change::Kind::write, offset, {bytes.begin(), bytes.end()}});
  size_ = std::max(size_, offset + bytes.size());
  return {};
}

uint64_t LateFile::kept_bytes() const {
  uint64_t bytes = 0;
  for (const Change& change : changes_) bytes += change.bytes.size();
  return bytes;
}

Result<uint64_t> LateFile::size() {
  SCORPIO_ASSIGN(const uint64_t stored, inner().size());
  return std::max(stored, size_);
}

Result<size_t> LateFile::read_at(std::span<std::byte> bytes, uint64_t offset) {
  SCORPIO_ASSIGN(const size_t stored, inner().read_at(bytes, offset));
  const uint64_t kept = std::min<uint64_t>(bytes.size(), size_ - std::min(size_, offset));
  const size_t length = std::max(stored, static_cast<size_t>(kept));
  std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(stored),
            bytes.begin() + static_cast<std::ptrdiff_t>(length), std::byte{0});
  for (const Change& change : changes_) {
    const uint64_t begin = std::max(offset, change.at);
    const uint64_t end = std::min(offset + length, change.at + change.bytes.size());
    if (begin >= end) continue;
    const auto from = change.bytes.begin() + static_cast<std::ptrdiff_t>(begin - change.at);
    std::copy_n(from, end - begin, bytes.begin() + static_cast<std::ptrdiff_t>(begin - offset));
  }
  return length;
}

Status LateFile::truncate(uint64_t size) {
  if (!keeps_) return inner().truncate(size);
  changes_.push_back({Change::Kind::grow, size});
  size_ = std::max(size_, size);
  return {};
}

Status LateFile::sync() {
  if (!keeps_) return inner().sync();
  changes_.push_back({Change::Kind::sync});
  return {};
}

// Other writers may have extended the file in the meantime, and may do so now, though not beyond `end`.
Status LateFile::make_one(const Change& change, uint64_t end) {
  if (change.kind == Change::Kind::write) return inner().write_at(change.bytes, change.at);
  if (change.kind == Change::Kind::sync) return inner().sync();
  SCORPIO_ASSIGN(const uint64_t size, inner().size());
  return size >= end ? Status() : inner().truncate(end);
}

Status LateFile::make() {
  keeps_ = false;
  size_ = 0;
  const std::vector<Change> changes = std::exchange(changes_, {});
  uint64_t end = 0;
  for (const Change& change : changes) {
    if (change.kind == Change::Kind::grow) end = std::max(end, change.at);
  }
  for (const Change& change : changes) SCORPIO_TRY(make_one(change, end));
  return {};
}

}  // namespace scorpio::storage
