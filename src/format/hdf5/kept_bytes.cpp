#include "format/hdf5/kept_bytes.h"

#include <algorithm>

namespace scorpio::format::hdf5 {

// HDF5 rewrites its superblock whenever it closes the file.
void KeptBytes::keep(uint64_t address, std::span<const std::byte> bytes) {
  if (known_.holds(address, bytes)) return;
  known_.put(address, bytes);
  unwritten_.add(ByteRange::at(address, bytes.size()));
}

void KeptBytes::forget(ByteRange range) {
  known_.erase(range.begin, range.end);
  unwritten_.erase(range);
}

bool KeptBytes::fillable(ByteRange gap, const IntervalSet& unused) const {
  // Rewriting this number of known bytes takes less time than another write.
  constexpr uint64_t k_fill_bytes = uint64_t{1} << 20;
  if (gap.size() > k_fill_bytes) return false;
  while (gap.begin < gap.end) {
    auto next = known_.end_of_extent_at(gap.begin);
    if (!next) next = unused.end_of_range_at(gap.begin);
    if (!next) return false;
    gap.begin = *next;
  }
  return true;
}

std::vector<ByteRange> KeptBytes::to_write(ByteRange within, const IntervalSet& unused) const {
  std::vector<ByteRange> out;
  for (const auto& [begin, end] : unwritten_.ranges()) {
    const ByteRange part{std::max(within.begin, begin), std::min(within.end, end)};
    if (part.begin >= part.end) continue;
    if (!out.empty() && fillable({out.back().end, part.begin}, unused)) {
      out.back().end = part.end;
    } else {
      out.push_back(part);
    }
  }
  return out;
}

}  // namespace scorpio::format::hdf5
