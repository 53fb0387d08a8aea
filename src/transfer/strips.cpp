#include "transfer/strips.h"

#include <algorithm>

namespace scorpio::transfer {

using plan::ByteRange;

namespace {

constexpr uint64_t k_most_regions = 64u << 10;

// `stored` cut at the edges of regions.
std::vector<ByteRange> cut_at_regions(const std::vector<ByteRange>& stored, uint64_t region_bytes) {
  std::vector<ByteRange> pieces;
  for (const ByteRange& range : stored) {
    for (uint64_t at = range.begin; at < range.end;) {
      const uint64_t end = std::min(range.end, (at / region_bytes + 1) * region_bytes);
      pieces.push_back({at, end});
      at = end;
    }
  }
  return pieces;
}

// Of `strips`, the one in which the slab has its byte.
uint64_t strip_at(const std::vector<ByteRange>& slabs, uint64_t byte, uint64_t strips) {
  const auto behind = std::upper_bound(slabs.begin(), slabs.end(), byte,
                                       [](uint64_t b, const ByteRange& slab) { return b < slab.begin; });
  if (behind == slabs.begin()) return 0;
  const ByteRange& slab = *std::prev(behind);
  const uint64_t strip_bytes = (slab.end - slab.begin + strips - 1) / strips;
  return std::min(strips - 1, (byte - slab.begin) / strip_bytes);
}

}  // namespace

std::vector<std::vector<ByteRange>> strips_of(const std::vector<ByteRange>& stored,
                                              const std::vector<ByteRange>& slabs, uint64_t region_bytes,
                                              uint64_t regions_at_once) {
  if (stored.empty()) return {};
  const uint64_t first = stored.front().begin / region_bytes;
  const uint64_t regions = (stored.back().end + region_bytes - 1) / region_bytes - first;
  const uint64_t strips = regions <= k_most_regions ? (regions + regions_at_once - 1) / regions_at_once : 1;
  if (strips <= 1) return {stored};
  std::vector<std::vector<ByteRange>> all(strips);
  uint64_t region = ~uint64_t{0}, strip = 0;
  for (const ByteRange& piece : cut_at_regions(stored, region_bytes)) {
    if (piece.begin / region_bytes != region) {
      region = piece.begin / region_bytes;
      strip = strip_at(slabs, piece.begin, strips);
    }
    std::vector<ByteRange>& into = all[strip];
    if (!into.empty() && into.back().end == piece.begin) {
      into.back().end = piece.end;
    } else {
      into.push_back(piece);
    }
  }
  std::erase_if(all, [](const std::vector<ByteRange>& one) { return one.empty(); });
  return all;
}

}  // namespace scorpio::transfer
