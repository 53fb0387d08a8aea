#include "transfer/rearrange.h"

#include <algorithm>
#include <vector>

#include "base/checked.h"
#include "plan/domains.h"

namespace scorpio::transfer {

namespace {

// Copies the share of one I/O rank of a range of bytes. The units of the new file are assigned to the I/O
// ranks in turn, so that neighbouring small pieces are copied by one rank.
class Copier {
 public:
  Copier(storage::StoredFile& from, storage::StoredFile& to, const CopyShare& share)
      : from_(from),
        to_(to),
        rule_{share.unit_bytes, share.unit_bytes, share.io_ranks, false},
        owner_(share.owner),
        buffer_(share.unit_bytes) {}

  // The first stored bytes at or after `at`.
  Result<ByteRange> stored_from(uint64_t at) {
    if (at < looked_from_ || (at >= found_.end && !found_.empty())) {
      SCORPIO_ASSIGN(found_, from_.next_data(at));
      looked_from_ = at;
    }
    return ByteRange{std::max(at, found_.begin), std::max(at, found_.end)};
  }

  // Copies `bytes` bytes from offset `source` to offset `target`.
  Status copy(uint64_t source, uint64_t target, uint64_t bytes) {
    const uint64_t end = source + bytes;
    while (source < end) {
      SCORPIO_ASSIGN(const ByteRange stored, stored_from(source));
      if (stored.empty() || stored.begin >= end) return {};
      target += stored.begin - source;
      const uint64_t length = std::min(stored.end, end) - stored.begin;
      SCORPIO_TRY(copy_stored(stored.begin, target, length));
      source = stored.begin + length;
      target += length;
    }
    return {};
  }

 private:
  Status copy_stored(uint64_t source, uint64_t target, uint64_t bytes) {
    const uint64_t end = target + bytes;
    for (uint64_t at = target; at < end;) {
      const plan::Unit unit = rule_.unit_at(at);
      const uint64_t unit_end = std::min(end, unit.bytes.end);
      if (unit.owner == owner_) SCORPIO_TRY(copy_unit(source + (at - target), at, unit_end - at));
      at = unit_end;
    }
    return {};
  }

  Status copy_unit(uint64_t source, uint64_t target, uint64_t bytes) {
    const std::span<std::byte> piece(buffer_.data(), bytes);
    SCORPIO_ASSIGN(const size_t there, from_.read_at(piece, source));
    return to_.write_at(piece.first(there), target);
  }

  storage::StoredFile& from_;
  storage::StoredFile& to_;
  plan::DomainRule rule_;
  int owner_;
  std::vector<std::byte> buffer_;
  // No bytes are stored from looked_from_ to found_.begin; if found_ is empty, none after it.
  ByteRange found_;
  uint64_t looked_from_ = UINT64_MAX;
};

Status copy_shift(Copier& copier, const format::Shift& shift) {
  for (uint64_t k = 0; k < shift.count;) {
    const uint64_t source = shift.from + k * shift.from_stride;
    SCORPIO_ASSIGN(const ByteRange stored, copier.stored_from(source));
    if (stored.empty()) return {};
    if (stored.begin < source + shift.bytes) {
      SCORPIO_TRY(copier.copy(source, shift.to + k * shift.to_stride, shift.bytes));
      ++k;
    } else {
      // Advances to the piece that contains the next stored bytes, or that follows a gap before them.
      const uint64_t next = shift.from_stride == 0 ? 0 : (stored.begin - shift.from) / shift.from_stride;
      k = std::max(k + 1, next);
    }
  }
  return {};
}

}  // namespace

Status copy_shifts(storage::StoredFile& from, storage::StoredFile& to, std::span<const format::Shift> shifts,
                   const CopyShare& share) {
  Copier copier(from, to, share);
  for (const format::Shift& shift : shifts) SCORPIO_TRY(copy_shift(copier, shift));
  return {};
}

uint64_t named_bytes(std::span<const format::Shift> shifts) {
  uint64_t sum = 0;
  for (const format::Shift& shift : shifts) {
    const auto bytes = checked_mul(shift.bytes, shift.count);
    const auto more = bytes ? checked_add(sum, *bytes) : std::nullopt;
    if (!more) return UINT64_MAX;
    sum = *more;
  }
  return sum;
}

}  // namespace scorpio::transfer
