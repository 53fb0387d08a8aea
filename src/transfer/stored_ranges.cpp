#include "transfer/stored_ranges.h"

#include <algorithm>

namespace scorpio::transfer {

namespace {

// Examining this number of slabs takes about 10 us.
constexpr size_t k_most_slabs = 4096;

}  // namespace

std::optional<std::vector<ByteRange>> stored_slabs(const model::Variables& variables,
                                                   const format::Placements& placements, ByteRange hull) {
  std::vector<ByteRange> slabs;
  if (hull.begin >= hull.end) return slabs;
  const bool all = placements.by_address(variables).visit(hull, [&](int variable, ByteRange slab) {
    if (variables.alive(variable)) slabs.push_back(slab);
    return slabs.size() <= k_most_slabs;
  });
  if (!all) return std::nullopt;
  std::sort(slabs.begin(), slabs.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  return slabs;
}

std::vector<ByteRange> stored_ranges(const std::vector<ByteRange>& slabs, ByteRange hull) {
  std::vector<ByteRange> ranges;
  for (const ByteRange& slab : slabs) {
    const ByteRange inside{std::max(slab.begin, hull.begin), std::min(slab.end, hull.end)};
    if (inside.begin >= inside.end) continue;
    // Slabs may share bytes if a file has one variable under two names.
    if (!ranges.empty() && inside.begin <= ranges.back().end) {
      ranges.back().end = std::max(ranges.back().end, inside.end);
    } else {
      ranges.push_back(inside);
    }
  }
  return ranges;
}

}  // namespace scorpio::transfer
