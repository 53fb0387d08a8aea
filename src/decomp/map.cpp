// Decompositions by the global index of every element. Local; thread-safe.
#include <utility>

#include "decomp/array_extents.h"
#include "decomp/local_part.h"
#include "decomp/run_packer.h"

namespace scorpio::decomp {
namespace {

constexpr int64_t k_hole = -1;

Status outside(std::span<const int64_t> dims, int64_t total, size_t position, int64_t value) {
  return failure(Code::shape,
                 "index[{}] = {} is outside the array of {} = {} elements; indices are zero-based and less "
                 "than that, and {} marks a hole",
                 position, value, extents_text(dims), total, k_hole);
}

// Calls add(Run) for each range of the buffer with consecutive indices.
template <typename Add>
void for_each_stretch(std::span<const int64_t> index, Add&& add) {
  for (size_t i = 0; i < index.size();) {
    size_t end = i + 1;
    if (index[i] != k_hole) {
      while (end < index.size() && index[end] == index[end - 1] + 1) ++end;
      add(Run{index[i], static_cast<int64_t>(i), static_cast<int64_t>(end - i)});
    }
    i = end;
  }
}

RunList sorted_runs(std::span<const int64_t> index) {
  RunPacker packer;
  for_each_stretch(index, [&](const Run& run) { packer.add(run); });
  return RunList::from_sorted(packer.take());
}

RunList unsorted_runs(std::span<const int64_t> index) {
  std::vector<Run> runs;
  for_each_stretch(index, [&](const Run& run) { runs.push_back(run); });
  return RunList(std::move(runs));
}

}  // namespace

Result<LocalPart> map(std::span<const int64_t> dims, std::span<const int64_t> index) {
  SCORPIO_ASSIGN(const int64_t total, product(dims));
  bool ascending = true;
  int64_t last = k_hole;
  for (size_t i = 0; i < index.size(); ++i) {
    if (index[i] < k_hole || index[i] >= total) return outside(dims, total, i, index[i]);
    if (index[i] == k_hole) continue;
    ascending = ascending && index[i] > last;
    last = index[i];
  }
  LocalPart part;
  part.dims.assign(dims.begin(), dims.end());
  part.local_elements = static_cast<int64_t>(index.size());
  part.shape = {part.local_elements};
  part.runs = ascending ? sorted_runs(index) : unsorted_runs(index);
  return part;
}

}  // namespace scorpio::decomp
