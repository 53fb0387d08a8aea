// Covers many runs by few intervals that include the smallest gaps. Local; thread-safe.
#include <algorithm>
#include <utility>

#include "decomp/intervals.h"
#include "decomp/run_algebra.h"

namespace scorpio::decomp {
namespace {

struct Gap {
  int64_t elements;
  int64_t times;
};

// Joins sorted intervals, except at the largest gaps.
class Outline {
 public:
  Outline(std::vector<Gap> gaps, size_t max_intervals) {
    const auto larger = [](const Gap& a, const Gap& b) { return a.elements > b.elements; };
    std::sort(gaps.begin(), gaps.end(), larger);
    int64_t budget = static_cast<int64_t>(std::min<size_t>(max_intervals, INT64_MAX)) - 1;
    for (size_t i = 0; i < gaps.size() && gaps[i].elements > 0; ++i) {
      if (gaps[i].elements != threshold_) {
        threshold_ = gaps[i].elements;
        at_threshold_ = std::max<int64_t>(budget, 0);
      }
      budget -= gaps[i].times;
      if (budget < 0) return;
    }
    threshold_ = 0;  // all gaps can be kept
    at_threshold_ = 0;
  }

  void add(const Interval& next) {
    if (!joined_.empty() && !take_gap(next.begin - joined_.back().end)) {
      joined_.back().end = std::max(joined_.back().end, next.end);
    } else {
      joined_.push_back(next);
    }
  }

  void add(const Segment& s) {
    for (int64_t k = 0; k < s.count; ++k) {
      const int64_t begin = s.global + k * s.global_stride;
      if (!keeps(s.global_stride - s.length)) return add(Interval{begin, s.global_end()});
      add(Interval{begin, begin + s.length});
    }
  }

  std::vector<Interval> take() { return std::move(joined_); }

 private:
  bool keeps(int64_t gap) const {
    return gap > 0 && (gap > threshold_ || (gap == threshold_ && at_threshold_ > 0));
  }
  bool take_gap(int64_t gap) {
    if (!keeps(gap)) return false;
    if (gap == threshold_) --at_threshold_;
    return true;
  }

  int64_t threshold_ = 0;     // longer gaps are kept
  int64_t at_threshold_ = 0;  // the number of gaps of just this length that are kept too
  std::vector<Interval> joined_;
};

std::vector<Gap> gaps_between(const std::vector<Interval>& intervals) {
  std::vector<Gap> gaps;
  for (size_t i = 1; i < intervals.size(); ++i) {
    gaps.push_back({intervals[i].begin - intervals[i - 1].end, 1});
  }
  return gaps;
}

std::vector<Gap> gaps_of(const SegmentStore& segments) {
  std::vector<Gap> gaps;
  int64_t behind = segments.empty() ? 0 : segments[0].global;
  for (const Segment& s : segments) {
    if (s.global != behind) gaps.push_back({s.global - behind, 1});
    if (s.count > 1) gaps.push_back({s.global_stride - s.length, s.count - 1});
    behind = s.global_end();
  }
  return gaps;
}

// Sorted, disjoint, not adjacent.
}  // namespace

std::vector<Interval> merge(std::vector<Interval> intervals, size_t max_intervals) {
  join(intervals);
  if (intervals.size() <= max_intervals) return intervals;
  Outline outline(gaps_between(intervals), max_intervals);
  for (const Interval& interval : intervals) outline.add(interval);
  return outline.take();
}

std::vector<Interval> coverage(const RunList& list, size_t max_intervals) {
  if (has_duplicates(list)) {
    std::vector<Interval> intervals;
    list.for_each([&](const Run& run) { intervals.push_back({run.global, run.global + run.length}); });
    return merge(std::move(intervals), max_intervals);
  }
  Outline outline(gaps_of(list.segments()), max_intervals);
  for (const Segment& segment : list.segments()) outline.add(segment);
  return outline.take();
}

}  // namespace scorpio::decomp
