#include "decomp/coarse_set.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <utility>

#include "decomp/intervals.h"

namespace scorpio::decomp {

namespace {

// A description is made from at most this number of intervals, so that its cost is bounded.
constexpr size_t k_most_considered = size_t{1} << 12;

// Combines ranges that are added in ascending order: joins those that touch, and counts those at equal
// distances.
class RangeJoiner {
 public:
  void add(int64_t begin, int64_t length) {
    if (!ranges_.empty()) {
      StridedRange& last = ranges_.back();
      if (last.end() == begin && last.count == 1) {
        last.length += length;
        last_joined_ = false;
        return;
      }
      join_last();
    }
    ranges_.push_back({begin, length});
    last_joined_ = false;
  }

  void add(const StridedRange& range) {
    if (range.count == 1 || range.length == range.stride) {
      return add(range.begin, range.end() - range.begin);
    }
    if (!ranges_.empty() && ranges_.back().end() == range.begin && ranges_.back().count == 1) {
      add(range.begin, range.length);
      StridedRange rest = range;
      rest.begin += range.stride;
      if (--rest.count == 1) return add(rest.begin, rest.length);
      join_last();
      ranges_.push_back(rest);
      last_joined_ = true;
      return;
    }
    join_last();
    if (!ranges_.empty() && continues(ranges_.back(), range)) {
      ranges_.back().count += range.count;
    } else {
      ranges_.push_back(range);
    }
    last_joined_ = true;
  }

  // The last range counts, although it may still grow.
  size_t size() const { return ranges_.size(); }

  std::vector<StridedRange> take() {
    join_last();
    return std::move(ranges_);
  }

 private:
  static bool continues(const StridedRange& last, const StridedRange& next) {
    return last.count > 1 && next.stride == last.stride && next.length == last.length &&
           next.begin == last.begin + last.count * last.stride;
  }

  // The last range has its full length: it may continue the one before.
  void join_last() {
    if (std::exchange(last_joined_, true) || ranges_.size() < 2) return;
    const StridedRange next = ranges_.back();
    StridedRange& before = ranges_[ranges_.size() - 2];
    if (next.length != before.length) return;
    const int64_t stride = next.begin - before.begin - (before.count - 1) * before.stride;
    if (before.count > 1 && stride != before.stride) return;
    before.stride = stride;
    ++before.count;
    ranges_.pop_back();
  }

  std::vector<StridedRange> ranges_;
  bool last_joined_ = true;  // if possible: it has its full length
};

std::vector<StridedRange> joined(std::span<const StridedRange> ranges) {
  RangeJoiner joiner;
  for (const StridedRange& range : ranges) joiner.add(range);
  return joiner.take();
}

std::vector<StridedRange> joined(std::span<const Interval> intervals) {
  RangeJoiner joiner;
  for (const Interval& interval : intervals) joiner.add(interval.begin, interval.end - interval.begin);
  return joiner.take();
}

int64_t elements_of(std::span<const StridedRange> ranges) {
  int64_t elements = 0;
  for (const StridedRange& range : ranges) elements += range.elements();
  return elements;
}

// Calls visit(elements, number) for the gaps between the runs of the list.
template <typename Visit>
void for_each_gap(const RunList& list, const Visit& visit) {
  int64_t behind = list.hull().begin;
  for (const Segment& s : list.segments()) {
    if (s.global > behind) visit(s.global - behind, int64_t{1});
    if (s.count > 1 && s.global_stride > s.length) visit(s.global_stride - s.length, s.count - 1);
    behind = s.global_end();
  }
}

// The shortest power of two of which the list has at most `most` gaps that are as long or longer.
int64_t shortest_gap_to_keep(const RunList& list, int64_t most) {
  std::array<int64_t, 64> gaps{};  // by the number of bits of their length
  for_each_gap(list, [&](int64_t elements, int64_t number) {
    gaps[static_cast<size_t>(std::bit_width(static_cast<uint64_t>(elements)))] += number;
  });
  size_t bits = gaps.size() - 1;
  for (int64_t kept = gaps[bits]; bits > 1 && kept + gaps[bits - 1] <= most; --bits) kept += gaps[bits - 1];
  return int64_t{1} << (bits - 1);
}

// The elements of the list, and those of gaps that are shorter than `shortest`.
std::vector<Interval> without_gaps(const RunList& list, int64_t shortest) {
  std::vector<Interval> intervals;
  const auto add = [&](int64_t begin, int64_t end) {
    if (!intervals.empty() && begin - intervals.back().end < shortest) {
      intervals.back().end = end;
    } else {
      intervals.push_back({begin, end});
    }
  };
  for (const Segment& s : list.segments()) {
    if (s.count == 1 || s.global_stride - s.length < shortest) {
      add(s.global, s.global_end());
      continue;
    }
    for (int64_t k = 0; k < s.count; ++k)
      add(s.global + k * s.global_stride, s.global + k * s.global_stride + s.length);
  }
  return intervals;
}

int64_t smallest_gap(std::span<const Interval> intervals) {
  int64_t smallest = INT64_MAX;
  for (size_t i = 1; i < intervals.size(); ++i)
    smallest = std::min(smallest, intervals[i].begin - intervals[i - 1].end);
  return smallest;
}

// Sorted, disjoint intervals. All gaps of a similar length are closed together, because the rows or planes of
// a block are at equal distances only if their gaps are treated alike.
std::vector<StridedRange> coarsened(std::vector<Interval> intervals, size_t most) {
  std::vector<StridedRange> ranges = joined(intervals);
  while (ranges.size() > most) {
    std::vector<Interval> before = intervals;
    const auto gap = static_cast<uint64_t>(smallest_gap(intervals));
    close_gaps(intervals, static_cast<int64_t>(std::bit_ceil(gap + 1) - 1));
    ranges = joined(intervals);
    if (ranges.size() > most) continue;
    // The last step may have closed more gaps than necessary.
    std::vector<StridedRange> fewest = joined(merge(std::move(before), most));
    if (elements_of(fewest) < elements_of(ranges)) ranges = std::move(fewest);
  }
  return ranges;
}

// Joins ranges of equal distances and numbers that touch, as those of neighbouring columns of an array.
std::vector<StridedRange> with_joined_columns(std::vector<StridedRange> ranges) {
  const auto key = [](const StridedRange& r) { return std::tuple(r.stride, r.count, r.begin); };
  std::ranges::sort(ranges, {}, key);
  size_t kept = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    const StridedRange& next = ranges[i];
    if (kept > 0) {
      StridedRange& last = ranges[kept - 1];
      const bool alike = last.stride == next.stride && last.count == next.count;
      if (alike && next.begin <= last.begin + last.length) {
        last.length = std::max(last.length, next.begin - last.begin + next.length);
        continue;
      }
    }
    ranges[kept++] = next;
  }
  ranges.resize(kept);
  for (StridedRange& range : ranges) {
    if (range.count > 1 && range.length >= range.stride) range = {range.begin, range.end() - range.begin};
  }
  std::ranges::sort(ranges, {}, &StridedRange::begin);
  return ranges;
}

bool ascend(std::span<const StridedRange> ranges) {
  for (size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].begin < ranges[i - 1].end()) return false;
  }
  return true;
}

}  // namespace

int64_t CoarseSet::elements() const { return elements_of(ranges); }

bool any_in(std::span<const StridedRange> ranges, int64_t begin, int64_t end) {
  if (begin >= end) return false;
  const auto at = std::lower_bound(ranges.begin(), ranges.end(), begin,
                                   [](const StridedRange& r, int64_t b) { return r.end() <= b; });
  if (at == ranges.end()) return false;
  int64_t first = at->begin;
  if (at->count > 1 && begin >= first + at->length)
    first += ((begin - first - at->length) / at->stride + 1) * at->stride;
  return first < end;  // this interval ends after `begin`
}

CoarseSet coarse_set(const RunList& list, size_t most) {
  RangeJoiner joiner;
  for (const Segment& s : list.segments()) {
    joiner.add({s.global, s.length, s.count, s.count > 1 ? s.global_stride : 0});
    if (joiner.size() > most + 1) break;
  }
  CoarseSet set{joiner.take(), true};
  if (set.ranges.size() <= most) return set;
  const auto considered = static_cast<int64_t>(std::max(k_most_considered, most));
  set.ranges = coarsened(without_gaps(list, shortest_gap_to_keep(list, considered)), most);
  set.exact = set.elements() == list.elements();
  return set;
}

CoarseSet united(std::span<const CoarseSet> sets, size_t most) {
  CoarseSet all;
  for (const CoarseSet& set : sets) {
    all.exact = all.exact && set.exact;
    all.ranges.insert(all.ranges.end(), set.ranges.begin(), set.ranges.end());
  }
  all.ranges = with_joined_columns(std::move(all.ranges));
  if (ascend(all.ranges)) all.ranges = joined(all.ranges);
  if (all.ranges.size() <= most && ascend(all.ranges)) return all;
  const size_t considered = std::max(k_most_considered, most);
  const auto each = static_cast<int64_t>(std::max<size_t>(1, considered / all.ranges.size()));
  for (StridedRange& range : all.ranges) {
    if (range.count <= each) continue;
    all.exact = false;
    range = {range.begin, range.end() - range.begin};
  }
  std::vector<Interval> intervals = merge(intervals_of(all.ranges), SIZE_MAX);
  int64_t elements = 0;
  for (const Interval& interval : intervals) elements += interval.end - interval.begin;
  all.ranges = coarsened(std::move(intervals), most);
  all.exact = all.exact && all.elements() == elements;
  return all;
}

std::vector<Interval> intervals_of(std::span<const StridedRange> ranges) {
  std::vector<Interval> intervals;
  for (const StridedRange& range : ranges) {
    for (int64_t k = 0; k < range.count; ++k) {
      const int64_t begin = range.begin + k * range.stride;
      intervals.push_back({begin, begin + range.length});
    }
  }
  return intervals;
}

}  // namespace scorpio::decomp
