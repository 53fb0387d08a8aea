#include "transfer/strips.h"

#include <algorithm>

#include "transfer/stored_ranges.h"

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

using Strip = std::vector<ByteRange>;

// Where I/O ranks take turns by the number of the region, the same pieces of variables may all be one's.
bool balanced(const Strip& strip, const plan::DomainRule& rule) {
  plan::RegionWalk walk(rule, {strip.front().begin, strip.back().end}, strip);
  std::vector<uint64_t> regions_of(static_cast<size_t>(rule.io_ranks), 0);
  uint64_t all = 0;
  plan::Region region;
  for (; walk.next(region); ++all) ++regions_of[static_cast<size_t>(region.owner)];
  const uint64_t most = *std::max_element(regions_of.begin(), regions_of.end());
  const uint64_t share = all / regions_of.size();
  return most <= share + share / 2 + 1;
}

void merge(Strip& into, const Strip& strip) {
  const auto added = into.insert(into.end(), strip.begin(), strip.end());
  std::inplace_merge(into.begin(), added, into.end(),
                     [](const ByteRange& x, const ByteRange& y) { return x.begin < y.begin; });
}

std::vector<Strip> balance(const std::vector<Strip>& strips, const plan::DomainRule& rule) {
  std::vector<Strip> all;
  for (const Strip& strip : strips) {
    if (strip.empty()) continue;
    if (all.empty() || balanced(all.back(), rule)) {
      all.push_back(strip);
    } else {
      merge(all.back(), strip);
    }
  }
  for (Strip& strip : all) strip = stored_ranges(strip, {strip.front().begin, strip.back().end});
  return all;
}

}  // namespace

std::vector<std::vector<ByteRange>> strips_of(const std::vector<ByteRange>& stored,
                                              const std::vector<ByteRange>& slabs,
                                              const plan::DomainRule& rule, uint64_t regions_at_once) {
  if (stored.empty()) return {};
  const uint64_t first = stored.front().begin / rule.region_bytes;
  const uint64_t regions = (stored.back().end + rule.region_bytes - 1) / rule.region_bytes - first;
  const bool worth_while = regions <= k_most_regions && regions >= 2 * slabs.size();
  const uint64_t strips = worth_while ? (regions + regions_at_once - 1) / regions_at_once : 1;
  if (strips <= 1) return {stored};
  std::vector<Strip> all(strips);
  uint64_t region = ~uint64_t{0}, strip = 0;
  for (const ByteRange& piece : cut_at_regions(stored, rule.region_bytes)) {
    if (piece.begin / rule.region_bytes != region) {
      region = piece.begin / rule.region_bytes;
      strip = strip_at(slabs, piece.begin, strips);
    }
    all[strip].push_back(piece);
  }
  return balance(all, rule);
}

}  // namespace scorpio::transfer
