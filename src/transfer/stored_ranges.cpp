#include "transfer/stored_ranges.h"

#include <algorithm>

#include "transfer/slab_flow.h"

namespace scorpio::transfer {

using plan::ByteRange;

namespace {

// 10 us of work.
constexpr size_t k_most_slabs = 4096;

bool has_bytes(const model::Variable& variable) {
  return variable.storage == model::Storage::contiguous && variable.address && variable.slab_bytes() > 0 &&
         (!variable.records || variable.record_stride > 0);
}

// The first of the variable's slabs that ends behind `begin`.
int64_t first_behind(const model::Variable& variable, uint64_t begin) {
  const Slab first = Slab::of(variable, 0);
  if (!variable.records || first.whole.end > begin) return 0;
  return static_cast<int64_t>((begin - first.whole.end) / variable.record_stride + 1);
}

}  // namespace

std::optional<std::vector<ByteRange>> stored_slabs(const model::Schema& schema, ByteRange hull) {
  std::vector<ByteRange> slabs;
  if (hull.begin >= hull.end) return slabs;
  for (int index = 0; index < schema.variable_count(); ++index) {
    const model::Variable& variable = schema.variable(index);
    if (!schema.alive(index) || !has_bytes(variable)) continue;
    for (int64_t record = first_behind(variable, hull.begin);; ++record) {
      const ByteRange slab = Slab::of(variable, record).whole;
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
    // Slabs may share bytes where a file has one variable under two names.
    if (!ranges.empty() && inside.begin <= ranges.back().end) {
      ranges.back().end = std::max(ranges.back().end, inside.end);
    } else {
      ranges.push_back(inside);
    }
  }
  return ranges;
}

}  // namespace scorpio::transfer
