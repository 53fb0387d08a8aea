#include "transfer/stored_ranges.h"

#include <algorithm>

#include "transfer/slab_flow.h"

namespace scorpio::transfer {

namespace {

// Examining this number of slabs takes about 10 us.
constexpr size_t k_most_slabs = 4096;

bool has_bytes(const model::Variable& variable, const format::Placement& placement) {
  return placement.has_address() && variable.slab_bytes() > 0 && !variable.is_free() &&
         (!variable.records || placement.record_stride() > 0);
}

}  // namespace

std::optional<std::vector<ByteRange>> stored_slabs(const model::Schema& schema,
                                                   const format::Placements& placements, ByteRange hull) {
  std::vector<ByteRange> slabs;
  if (hull.begin >= hull.end) return slabs;
  for (int index = 0; index < schema.variable_count(); ++index) {
    const model::Variable& variable = schema.variable(index);
    const format::Placement& placement = placements.of(index);
    if (!schema.alive(index) || !has_bytes(variable, placement)) continue;
    for (int64_t record = placement.first_record_behind(hull.begin, variable.slab_bytes());; ++record) {
      const ByteRange slab = Slab::of(variable, placement, record).whole;
      if (slab.begin >= hull.end) break;
      if (slab.end > hull.begin) slabs.push_back(slab);
      if (slabs.size() > k_most_slabs) return std::nullopt;
      if (!variable.records) break;
    }
  }
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
