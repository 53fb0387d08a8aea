// Sorted lists of strided runs. Local; thread-safe for readers.
#include "decomp/runs.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "decomp/run_packer.h"

namespace scorpio::decomp {

RunList::RunList(std::vector<Run> runs) {
  const auto before = [](const Run& a, const Run& b) {
    return std::tie(a.global, a.local) < std::tie(b.global, b.local);
  };
  if (!std::is_sorted(runs.begin(), runs.end(), before)) std::sort(runs.begin(), runs.end(), before);
  RunPacker packer;
  for (const Run& run : runs) packer.add(run);
  segments_ = packer.take();
  finish();
}

RunList RunList::from_sorted(std::vector<Segment> segments) {
  RunList list;
  list.segments_ = std::move(segments);
  std::erase_if(list.segments_, [](const Segment& s) { return s.length <= 0 || s.count <= 0; });
  list.finish();
  return list;
}

void RunList::finish() {
  segments_.shrink_to_fit();
  reach_.reserve(segments_.size());
  for (const Segment& s : segments_) {
    const int64_t before = reach_.empty() ? s.global_end() : reach_.back();
    reach_.push_back(std::max(before, s.global_end()));
    elements_ += s.elements();
    run_count_ += s.count;
  }
}

Interval RunList::hull() const {
  if (segments_.empty()) return {0, 0};
  return {segments_.front().global, reach_.back()};
}

std::vector<Run> RunList::expand() const {
  std::vector<Run> runs;
  runs.reserve(static_cast<size_t>(run_count_));
  for (const Segment& s : segments_) {
    for (int64_t k = 0; k < s.count; ++k) {
      runs.push_back({s.global + k * s.global_stride, s.local + k * s.local_stride, s.length});
    }
  }
  return runs;
}

std::optional<int64_t> RunList::first_in(int64_t begin, int64_t end) const {
  std::optional<int64_t> first;
  for (size_t i = first_reaching(begin); i < segments_.size() && segments_[i].global < end; ++i) {
    const Segment& s = segments_[i];
    int64_t k = 0;  // the first run of the segment that ends after `begin`
    if (s.count > 1 && begin >= s.global + s.length) k = (begin - s.global - s.length) / s.global_stride + 1;
    const int64_t at = std::max(begin, s.global + k * s.global_stride);
    if (k >= s.count || at >= end) continue;
    first = at;
    end = at;
  }
  return first;
}

size_t RunList::first_reaching(int64_t begin) const {
  const auto it = std::upper_bound(reach_.begin(), reach_.end(), begin);
  return static_cast<size_t>(it - reach_.begin());
}

}  // namespace scorpio::decomp
