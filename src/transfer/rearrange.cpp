#include "transfer/rearrange.h"

#include <algorithm>
#include <vector>

namespace scorpio::transfer {

namespace {

struct Copier {
  storage::StoredFile& from;
  storage::StoredFile& to;
  std::vector<std::byte> buffer;

  Status copy(uint64_t at, uint64_t target, uint64_t bytes) {
    const std::span<std::byte> piece(buffer.data(), bytes);
    SCORPIO_ASSIGN(const size_t there, from.read_at(piece, at));
    if (there == 0) return {};
    return to.write_at(piece.first(there), target);
  }
};

}  // namespace

// Units are dealt in turn: by place in the new file, so that neighbouring small pieces stay together.
Status copy_shifts(storage::StoredFile& from, storage::StoredFile& to, std::span<const format::Shift> shifts,
                   const CopyShare& share) {
  Copier copier{from, to, std::vector<std::byte>(share.unit_bytes)};
  const auto owners = static_cast<uint64_t>(share.owners);
  for (const format::Shift& shift : shifts) {
    for (uint64_t k = 0; k < shift.count; ++k) {
      const uint64_t source = shift.from + k * shift.from_stride;
      const uint64_t target = shift.to + k * shift.to_stride;
      for (uint64_t at = target; at < target + shift.bytes;) {
        const uint64_t unit = at / share.unit_bytes;
        const uint64_t end = std::min(target + shift.bytes, (unit + 1) * share.unit_bytes);
        if (unit % owners == static_cast<uint64_t>(share.owner)) {
          SCORPIO_TRY(copier.copy(source + (at - target), at, end - at));
        }
        at = end;
      }
    }
  }
  return {};
}

}  // namespace scorpio::transfer
