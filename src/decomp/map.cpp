// Decompositions by the global index of every element. Local; thread-safe.
#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <vector>

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
  return RunList(packer.take());
}

// The first positions of stretches, in groups that ascend with the index: so many share one group, mostly.
// Each takes 4 bytes where that is enough, so that the memory in use is a part of that of the map.
constexpr int64_t k_group = 1024;

struct Range {
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t most = std::numeric_limits<int64_t>::min();
  int64_t stretches = 0;
};

template <typename Position>
class Groups {
 public:
  Groups(std::span<const int64_t> index, const Range& range) : index_(index), least_(range.least) {
    const auto width = static_cast<uint64_t>(range.most - range.least) + 1;
    const auto wanted = static_cast<uint64_t>(range.stretches / k_group + 1);
    while ((width >> shift_) >= 2 * wanted) ++shift_;
    begins_.resize(static_cast<size_t>(((width - 1) >> shift_) + 2));
    for_each_stretch(index, [&](const Run& run) { ++begins_[group_of(run.global) + 1]; });
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    positions_.resize(static_cast<size_t>(range.stretches));
    std::vector<size_t> next(begins_.begin(), begins_.end() - 1);
    for_each_stretch(index, [&](const Run& run) {
      positions_[next[group_of(run.global)]++] = static_cast<Position>(run.local);
    });
  }

  // Calls visit(Run) for all stretches, ascending by index and position.
  template <typename Visit>
  void for_each_sorted(Visit&& visit) const {
    std::vector<Run> runs;
    for (size_t group = 0; group + 1 < begins_.size(); ++group) {
      runs.clear();
      for (size_t i = begins_[group]; i < begins_[group + 1]; ++i) runs.push_back(stretch_at(positions_[i]));
      std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
        return std::tie(a.global, a.local) < std::tie(b.global, b.local);
      });
      for (const Run& run : runs) visit(run);
    }
  }

 private:
  size_t group_of(int64_t global) const {
    return static_cast<size_t>(static_cast<uint64_t>(global - least_) >> shift_);
  }
  Run stretch_at(size_t position) const {
    size_t end = position + 1;
    while (end < index_.size() && index_[end] == index_[end - 1] + 1) ++end;
    return {index_[position], static_cast<int64_t>(position), static_cast<int64_t>(end - position)};
  }

  std::span<const int64_t> index_;
  int64_t least_;
  int shift_ = 0;
  std::vector<size_t> begins_;  // [groups + 1] of each group, among the positions
  std::vector<Position> positions_;
};

template <typename Position>
RunList sorted_by_groups(std::span<const int64_t> index, const Range& range) {
  RunPacker packer;
  Groups<Position>(index, range).for_each_sorted([&](const Run& run) { packer.add(run); });
  return RunList(packer.take());
}

RunList unsorted_runs(std::span<const int64_t> index) {
  Range range;
  for_each_stretch(index, [&](const Run& run) {
    range.least = std::min(range.least, run.global);
    range.most = std::max(range.most, run.global);
    ++range.stretches;
  });
  constexpr size_t k_small = std::numeric_limits<uint32_t>::max();
  return index.size() <= k_small ? sorted_by_groups<uint32_t>(index, range)
                                 : sorted_by_groups<uint64_t>(index, range);
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

void copy_index(const LocalPart& part, int64_t first, std::span<int64_t> index) {
  const int64_t end = first + static_cast<int64_t>(index.size());
  std::ranges::fill(index, k_hole);
  part.runs.for_each([&](const Run& run) {
    const int64_t from = std::max(run.local, first), to = std::min(run.local + run.length, end);
    for (int64_t at = from; at < to; ++at)
      index[static_cast<size_t>(at - first)] = run.global + (at - run.local);
  });
}

}  // namespace scorpio::decomp
