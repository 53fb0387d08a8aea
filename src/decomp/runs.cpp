// Sorted lists of strided runs. Local; thread-safe for readers.
#include "decomp/runs.h"

#include <algorithm>
#include <utility>

#include "decomp/run_packer.h"

namespace scorpio::decomp {

RunList::RunList(std::vector<Run> runs) {
  RunPacker packer;
  packer.sort_and_add(runs);
  segments_ = packer.take();
}

RunList RunList::from_sorted(const std::vector<Segment>& segments) {
  SegmentPacker packer;
  for (const Segment& segment : segments) packer.add(segment);
  return RunList(packer.take());
}

Interval RunList::hull() const {
  if (segments_.empty()) return {0, 0};
  return {segments_[0].global, segments_.reach()};
}

std::vector<Run> RunList::expand() const {
  std::vector<Run> runs;
  runs.reserve(static_cast<size_t>(run_count()));
  for (const Segment& s : segments_) {
    for (int64_t k = 0; k < s.count; ++k) {
      runs.push_back({s.global + k * s.global_stride, s.local + k * s.local_stride, s.length});
    }
  }
  return runs;
}

std::optional<int64_t> RunList::first_in(int64_t begin, int64_t end) const {
  std::optional<int64_t> first;
  const auto behind = segments_.end();
  for (auto next = segments_.from(segments_.first_reaching(begin)); next != behind; ++next) {
    const Segment s = *next;
    if (s.global >= end) break;
    int64_t k = 0;  // the first run of the segment that ends after `begin`
    if (s.count > 1 && begin >= s.global + s.length) k = (begin - s.global - s.length) / s.global_stride + 1;
    const int64_t at = std::max(begin, s.global + k * s.global_stride);
    if (k >= s.count || at >= end) continue;
    first = at;
    end = at;
  }
  return first;
}

}  // namespace scorpio::decomp
