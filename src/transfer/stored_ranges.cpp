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
  if (!variable.records || first.begin + first.bytes > begin) return 0;
  return static_cast<int64_t>((begin - first.begin - first.bytes) / variable.record_stride + 1);
}

// Neighbours and, in files that hold slabs of several variables in the same bytes, overlapping ones.
void join(std::vector<ByteRange>& sorted) {
  size_t last = 0;
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].begin > sorted[last].end) {
      sorted[++last] = sorted[i];
    } else {
      sorted[last].end = std::max(sorted[last].end, sorted[i].end);
    }
  }
  if (!sorted.empty()) sorted.resize(last + 1);
}

}  // namespace

std::optional<std::vector<ByteRange>> stored_ranges(const model::Schema& schema, ByteRange hull) {
  std::vector<ByteRange> ranges;
  if (hull.begin >= hull.end) return ranges;
  for (int index = 0; index < schema.variable_count(); ++index) {
    const model::Variable& variable = schema.variable(index);
    if (!schema.alive(index) || !has_bytes(variable)) continue;
    for (int64_t record = first_behind(variable, hull.begin);; ++record) {
      const Slab slab = Slab::of(variable, record);
      const ByteRange inside{std::max(slab.begin, hull.begin), std::min(slab.begin + slab.bytes, hull.end)};
      if (slab.begin >= hull.end) break;
      if (inside.begin < inside.end) ranges.push_back(inside);
      if (ranges.size() > k_most_slabs) return std::nullopt;
      if (!variable.records) break;
    }
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  join(ranges);
  return ranges;
}

}  // namespace scorpio::transfer
