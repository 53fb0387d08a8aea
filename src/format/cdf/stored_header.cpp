#include "format/cdf/stored_header.h"

#include <algorithm>
#include <array>
#include <utility>

#include "format/cdf/header_fields.h"
#include "format/cdf/header_writer.h"

namespace scorpio::format::cdf {

void StoredHeader::found(std::vector<std::byte> header, uint64_t file_bytes) {
  stored_ = std::move(header);
  committed_bytes_ = file_bytes;
}

size_t StoredHeader::records_end() const { return k_records_offset + widths(origin_.version).count; }

ByteRange StoredHeader::first_part(std::span<const std::byte> next) const {
  const auto end = static_cast<std::ptrdiff_t>(records_end());
  const bool same = known_ && std::equal(next.begin() + k_records_offset, next.begin() + end,
                                         stored_.begin() + k_records_offset, stored_.begin() + end);
  return same ? ByteRange{} : ByteRange{k_records_offset, records_end()};
}

ByteRange StoredHeader::last_part(std::span<const std::byte> next) const {
  const auto differs = [&](size_t i) { return !known_ || i >= stored_.size() || next[i] != stored_[i]; };
  size_t begin = records_end();
  size_t end = next.size();
  while (begin < end && !differs(begin)) ++begin;
  while (begin < end && !differs(end - 1)) --end;
  return {begin, end};
}

Status StoredHeader::extend(uint64_t file_bytes) {
  SCORPIO_ASSIGN(const uint64_t size, file_->size());
  return size >= file_bytes ? Status() : file_->truncate(file_bytes);
}

Status StoredHeader::write(std::span<const std::byte> next, ByteRange part) {
  if (part.empty()) return {};
  const auto bytes = next.subspan(part.begin, part.size());
  SCORPIO_TRY(file_->write_at(bytes, part.begin));
  counters_.writes += 1;
  counters_.bytes_written += bytes.size();
  return {};
}

Status StoredHeader::sync() { return options_.durable ? file_->sync() : Status(); }

Status StoredHeader::write_parts(std::span<const std::byte> next, ByteRange first, ByteRange last) {
  SCORPIO_TRY(write(next, last));
  if (!last.empty()) SCORPIO_TRY(sync());
  return write(next, first);
}

// A new file has no header yet, and no reader opens it under its temporary name.
Status StoredHeader::write_new(std::span<const std::byte> header) {
  SCORPIO_ASSIGN(const bool named, file_->is_at(origin_.name));
  const size_t begin = named ? records_end() : 0;
  SCORPIO_TRY(write_parts(header, {0, begin}, {begin, header.size()}));
  return sync();
}

Result<bool> StoredHeader::guarded() {
  if (!options_.undo_journal || origin_.store == nullptr) return false;
  return file_->is_at(origin_.name);
}

Status StoredHeader::overwrite(std::span<const std::byte> next, ByteRange first, ByteRange last) {
  SCORPIO_ASSIGN(const bool journaled, guarded());
  if (!journaled) {
    known_ = false;
    SCORPIO_TRY(write_parts(next, first, last));
    SCORPIO_TRY(sync());
    known_ = true;
    return {};
  }
  const std::array<ByteRange, 2> ranges{first, last};
  return overwrite_.run({*origin_.store, origin_.name, *file_, committed_bytes_}, ranges,
                        [&] { return write_parts(next, first, last); });
}

Status StoredHeader::replace(std::span<const std::byte> next) {
  const ByteRange first = first_part(next);
  const ByteRange last = last_part(next);
  if (!last.empty()) return overwrite(next, first, last);
  // The number of records alone is written in one call.
  SCORPIO_TRY(write(next, first));
  return first.empty() ? Status() : sync();
}

Status StoredHeader::change(const std::vector<std::byte>& header, uint64_t file_bytes) {
  if (file_ == nullptr) return failure(Code::state, "{} is closed", origin_.name);
  SCORPIO_TRY(overwrite_.broken());
  if (known_ && header == stored_) {
    SCORPIO_TRY(sync());
    SCORPIO_ASSIGN(committed_bytes_, file_->size());
    return {};
  }
  SCORPIO_TRY(extend(std::max<uint64_t>(file_bytes, header.size())));
  SCORPIO_TRY(sync());
  SCORPIO_TRY(stored_.empty() ? write_new(header) : replace(header));
  stored_ = header;
  SCORPIO_ASSIGN(committed_bytes_, file_->size());
  return {};
}

}  // namespace scorpio::format::cdf
