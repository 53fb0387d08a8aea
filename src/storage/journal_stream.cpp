#include "storage/journal_stream.h"

#include <algorithm>
#include <array>

namespace scorpio::storage {
namespace {

constexpr uint64_t k_end_mark = 0x646e456c6e724a53;  // "SJrnlEnd"
constexpr uint64_t k_trailer_bytes = 16;

std::array<std::byte, 8> encode(uint64_t number) {
  std::array<std::byte, 8> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(number >> (8 * i));
  return bytes;
}

uint64_t decode(const std::array<std::byte, 8>& bytes) {
  uint64_t number = 0;
  for (size_t i = 0; i < bytes.size(); ++i) number |= std::to_integer<uint64_t>(bytes[i]) << (8 * i);
  return number;
}

}  // namespace

uint64_t checksum_of(std::span<const std::byte> bytes, uint64_t checksum) { return fnv1a(bytes, checksum); }

Status JournalWriter::put(std::span<const std::byte> bytes) {
  checksum_ = checksum_of(bytes, checksum_);
  return append(bytes);
}

Status JournalWriter::put_number(uint64_t number) { return put(encode(number)); }

Status JournalWriter::finish() {
  SCORPIO_TRY(append(encode(checksum_)));
  SCORPIO_TRY(append(encode(k_end_mark)));
  return flush();
}

Status JournalWriter::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const size_t count = std::min(bytes.size(), k_journal_buffer_bytes - buffer_.size());
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes = bytes.subspan(count);
    if (buffer_.size() == k_journal_buffer_bytes) SCORPIO_TRY(flush());
  }
  return {};
}

Status JournalWriter::flush() {
  SCORPIO_TRY(journal_.write_at(buffer_, written_));
  written_ += buffer_.size();
  buffer_.clear();
  return {};
}

Result<bool> journal_is_complete(StoredFile& journal) {
  SCORPIO_ASSIGN(const uint64_t size, journal.size());
  if (size < k_trailer_bytes) return false;
  const uint64_t end = size - k_trailer_bytes;
  std::vector<std::byte> buffer(k_journal_buffer_bytes);
  uint64_t checksum = k_fnv_offset_basis;
  for (uint64_t at = 0; at < end;) {
    const auto piece =
        std::span(buffer).first(static_cast<size_t>(std::min<uint64_t>(buffer.size(), end - at)));
    SCORPIO_ASSIGN(const size_t got, journal.read_at(piece, at));
    if (got != piece.size()) return false;
    checksum = checksum_of(piece, checksum);
    at += got;
  }
  std::array<std::byte, 8> stored{};
  std::array<std::byte, 8> mark{};
  SCORPIO_ASSIGN(const size_t got_stored, journal.read_at(stored, end));
  SCORPIO_ASSIGN(const size_t got_mark, journal.read_at(mark, end + stored.size()));
  return got_stored + got_mark == k_trailer_bytes && decode(stored) == checksum && decode(mark) == k_end_mark;
}

JournalReader::JournalReader(StoredFile& journal, uint64_t journal_bytes)
    : journal_(journal), end_(journal_bytes - std::min(journal_bytes, k_trailer_bytes)) {}

Status JournalReader::get(std::span<std::byte> bytes) {
  const uint64_t from = position_;
  SCORPIO_TRY(skip(bytes.size()));
  SCORPIO_ASSIGN(const size_t got, journal_.read_at(bytes, from));
  if (got != bytes.size()) return failure(Code::io, "the undo journal became shorter while it was read");
  return {};
}

Result<uint64_t> JournalReader::get_number() {
  std::array<std::byte, 8> bytes{};
  SCORPIO_TRY(get(bytes));
  return decode(bytes);
}

Status JournalReader::skip(uint64_t bytes) {
  if (bytes > end_ - position_) {
    return failure(Code::format, "the undo journal ends at byte {}, but {} more were expected at {}", end_,
                   bytes, position_);
  }
  position_ += bytes;
  return {};
}

}  // namespace scorpio::storage
