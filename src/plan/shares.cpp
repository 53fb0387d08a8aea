#include "plan/shares.h"

#include <algorithm>
#include <utility>

namespace scorpio::plan {

std::vector<decomp::Interval> holes(std::span<const decomp::Interval> held, int64_t total) {
  std::vector<decomp::Interval> left;
  int64_t at = 0;
  for (const decomp::Interval& interval : held) {
    if (interval.begin > at) left.push_back({at, interval.begin});
    at = std::max(at, interval.end);
  }
  if (at < total) left.push_back({at, total});
  return left;
}

decomp::RunList share_of(std::span<const decomp::Interval> intervals, int rank, int ranks) {
  int64_t total = 0;
  for (const decomp::Interval& interval : intervals) total += interval.end - interval.begin;
  // The product total * rank could overflow.
  const auto bound = [&](int64_t r) { return total / ranks * r + std::min(r, total % ranks); };
  const int64_t first = bound(rank), end = bound(rank + 1);
  decomp::SegmentPacker mine;
  int64_t passed = 0;
  for (const decomp::Interval& interval : intervals) {
    const int64_t length = interval.end - interval.begin;
    const int64_t from = std::max(first - passed, int64_t{0});
    const int64_t to = std::min(end - passed, length);
    if (from < to) mine.add({.global = interval.begin + from, .local = 0, .length = to - from});
    passed += length;
  }
  return decomp::RunList(mine.take());
}

}  // namespace scorpio::plan
