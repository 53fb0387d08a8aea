#include "format/chunk_ranges.h"

#include <algorithm>

namespace scorpio::format {

namespace {

constexpr uint64_t k_chunks_per_gap = 50;

}  // namespace

Result<std::vector<uint64_t>> ChunkRanges::place(AddressBook& addresses, std::span<const uint64_t> bytes) {
  const uint64_t block = addresses.block_bytes();
  const uint64_t allowed = (bytes.size() - std::min<uint64_t>(spent_blocks_, bytes.size())) * block;
  std::vector<uint64_t> at(bytes.size());
  bool others = false;  // an I/O rank after the first has stored chunks
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == 0) continue;
    const uint64_t end = addresses.end_of_data();
    const uint64_t gap = (block - end % block) % block;
    const bool in_first_block = i == 0 && end + bytes[i] <= block;  // which belongs to the first I/O rank
    const bool aligned = gaps_ + gap <= allowed + chunks_ / k_chunks_per_gap;
    if (!in_first_block && (aligned || end < block)) addresses.leave_block();
    SCORPIO_ASSIGN(at[i], aligned ? addresses.place(bytes[i]) : addresses.place_next(bytes[i]));
    gaps_ += at[i] - end;
    chunks_ += bytes[i];
    others = others || i > 0;
  }
  if (others) addresses.leave_block();
  return at;
}

}  // namespace scorpio::format
