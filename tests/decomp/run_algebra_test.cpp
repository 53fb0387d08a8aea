// Set operations on run lists against element-wise references.
#include "decomp/run_algebra.h"
#include "decomp/intervals.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "decomp/local_part.h"
#include "reference.h"

namespace scorpio::decomp {
namespace {

std::vector<Interval> any_intervals(int64_t origin) {
  const auto sizes = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(1, 12), rc::gen::inRange(1, 8)));
  std::vector<Interval> out;
  int64_t at = origin + 990;
  for (const auto& [gap, length] : sizes) {
    out.push_back({at + gap, at + gap + length});
    at = out.back().end;
  }
  return out;
}

// Regular rows: the lists that stay packed in few segments.
Runs any_rows(int64_t origin) {
  const int64_t count = *rc::gen::inRange(1, 30);
  const int64_t length = *rc::gen::inRange(1, 5);
  const int64_t stride = length + *rc::gen::inRange(0, 4);
  Runs out;
  for (int64_t k = 0; k < count; ++k) out.push_back({origin + 1000 + k * stride, k * (length + 2), length});
  return out;
}

Runs any_list(int64_t origin) { return *rc::gen::arbitrary<bool>() ? any_rows(origin) : any_runs(origin); }

int64_t total(const std::vector<Interval>& intervals) {
  int64_t elements = 0;
  for (const Interval& i : intervals) elements += i.end - i.begin;
  return elements;
}

// Half-open ranges of a set, and the size of the gaps that must be closed for at most `max` of them.
struct Natural {
  std::vector<Interval> ranges;
  int64_t closed = 0;
};

Natural natural_ranges(const std::set<int64_t>& elements, size_t max) {
  Natural out;
  for (int64_t e : elements) {
    if (!out.ranges.empty() && out.ranges.back().end == e) {
      ++out.ranges.back().end;
    } else {
      out.ranges.push_back({e, e + 1});
    }
  }
  std::vector<int64_t> gaps;
  for (size_t i = 1; i < out.ranges.size(); ++i) gaps.push_back(out.ranges[i].begin - out.ranges[i - 1].end);
  std::sort(gaps.begin(), gaps.end());
  for (size_t i = 0; i + max < out.ranges.size(); ++i) out.closed += gaps[i];
  return out;
}

void check_outline(const std::vector<Interval>& outline, const std::set<int64_t>& elements, size_t max) {
  const Natural natural = natural_ranges(elements, max);
  RC_ASSERT(outline.size() == std::min(max, natural.ranges.size()));
  for (size_t i = 1; i < outline.size(); ++i) RC_ASSERT(outline[i].begin > outline[i - 1].end);
  const std::set<int64_t> covered = elements_of(outline);
  RC_ASSERT(std::includes(covered.begin(), covered.end(), elements.begin(), elements.end()));
  RC_ASSERT(total(outline) == static_cast<int64_t>(elements.size()) + natural.closed);
}

std::set<int64_t> globals_of(const Runs& runs) {
  std::set<int64_t> out;
  for (const auto& [global, local] : elements_of(runs)) out.insert(global);
  return out;
}

RC_GTEST_PROP(RunAlgebra, WithoutTakesJustTheIntervals, ()) {
  const int64_t origin = any_origin();
  const Runs runs = any_list(origin);
  const std::vector<Interval> intervals = any_intervals(origin);
  const std::set<int64_t> gone = elements_of(intervals);
  Elements expected = elements_of(runs);
  std::erase_if(expected, [&](const auto& e) { return gone.contains(e.first); });
  const RunList list = without(RunList(runs), intervals);
  check_promises(list);
  RC_ASSERT(elements_of(list) == expected);
  const int64_t middle = origin + 1020;
  std::erase_if(expected, [&](const auto& e) { return e.first < middle; });
  RC_ASSERT(elements_of(list, middle, INT64_MAX) == expected);
}

RC_GTEST_PROP(RunAlgebra, DuplicatesAreFound, ()) {
  const Runs runs = any_list(any_origin());
  RC_ASSERT(has_duplicates(RunList(runs)) == (globals_of(runs).size() != elements_of(runs).size()));
}

RC_GTEST_PROP(RunAlgebra, LastOfTheBufferWins, ()) {
  const Runs runs = any_list(any_origin());
  std::map<int64_t, int64_t> last;
  for (const auto& [global, local] : elements_of(runs)) last[global] = std::max(last[global], local);
  const RunList list = last_wins(RunList(runs));
  check_promises(list);
  RC_ASSERT(elements_of(list) == Elements(last.begin(), last.end()));
  RC_ASSERT(!has_duplicates(list));
}

RC_GTEST_PROP(RunAlgebra, CoverageClosesTheSmallestGaps, ()) {
  const Runs runs = any_list(any_origin());
  const auto max = static_cast<size_t>(*rc::gen::inRange(1, 20));
  check_outline(coverage(RunList(runs), max), globals_of(runs), max);
}

RC_GTEST_PROP(RunAlgebra, CoverageAgreesWithMerge, ()) {
  const Runs runs = any_list(any_origin());
  const auto max = static_cast<size_t>(*rc::gen::inRange(1, 20));
  std::vector<Interval> intervals;
  for (const auto& run : runs) intervals.push_back({run.global, run.global + run.length});
  RC_ASSERT(coverage(RunList(runs), max) == merge(intervals, max));
}

RC_GTEST_PROP(RunAlgebra, MergeClosesTheSmallestGaps, ()) {
  const int64_t origin = any_origin();
  auto intervals = any_intervals(origin);
  const auto more = any_intervals(origin + *rc::gen::inRange(0, 20));
  intervals.insert(intervals.begin(), more.begin(), more.end());
  intervals.push_back({origin, origin});
  const auto max = static_cast<size_t>(*rc::gen::inRange(1, 20));
  check_outline(merge(intervals, max), elements_of(intervals), max);
}

RC_GTEST_PROP(RunAlgebra, SmallGapsAreClosedAndNoOthers, ()) {
  const std::vector<Interval> all = any_intervals(*rc::gen::element<int64_t>(0, INT64_MAX / 2));
  const int64_t most = *rc::gen::inRange(0, 13);
  std::vector<Interval> closed = all;
  close_gaps(closed, most);
  RC_ASSERT(closed.empty() == all.empty());
  int64_t elements = total(all);
  for (size_t i = 1; i < all.size(); ++i) {
    const int64_t gap = all[i].begin - all[i - 1].end;
    elements += gap <= most ? gap : 0;
  }
  RC_ASSERT(total(closed) == elements);
  for (size_t i = 1; i < closed.size(); ++i) RC_ASSERT(closed[i].begin - closed[i - 1].end > most);
  for (const Interval& interval : all) {
    RC_ASSERT(std::ranges::any_of(closed, [&](const Interval& range) {
      return range.begin <= interval.begin && interval.end <= range.end;
    }));
  }
}

TEST(RunAlgebra, EmptyStaysEmpty) {
  EXPECT_TRUE(without(RunList(), {{0, 5}}).empty());
  EXPECT_TRUE(last_wins(RunList()).empty());
  EXPECT_TRUE(coverage(RunList(), 4).empty());
  EXPECT_TRUE(merge({}, 4).empty());
  std::vector<Interval> none;
  close_gaps(none, 4);
  EXPECT_TRUE(none.empty());
}

TEST(RunAlgebra, HaloTakenFromEachRowStaysOneSegment) {
  const RunList rows =
      block(std::vector<int64_t>{1000, 50}, std::vector<int64_t>{0, 10}, std::vector<int64_t>{1000, 20})
          ->runs;
  std::vector<Interval> halo;
  for (int64_t row = 0; row < 1000; ++row) halo.push_back({row * 50 + 29, row * 50 + 40});
  const RunList inner = without(rows, halo);
  ASSERT_EQ(inner.segments().size(), 1u);
  EXPECT_EQ(inner.elements(), 19 * 1000);
}

// 2^40 rows: only segments may be looked at.
TEST(RunAlgebra, HugeListsAreNotEnumerated) {
  const int64_t n = int64_t{1} << 40;
  const RunList rows = RunList::from_sorted({{0, 0, 4, n, 8, 4}, {8 * n + 100, 4 * n, 1}});
  EXPECT_FALSE(has_duplicates(rows));
  EXPECT_EQ(last_wins(rows).segments().size(), 2u);
  EXPECT_EQ(coverage(rows, 2), (std::vector<Interval>{{0, 8 * n - 4}, {8 * n + 100, 8 * n + 101}}));
  EXPECT_EQ(coverage(rows, 3), (std::vector<Interval>{{0, 4}, {8, 8 * n - 4}, {8 * n + 100, 8 * n + 101}}));
  const RunList cut = without(rows, {{8 * n / 2 + 1, 8 * n / 2 + 2}});
  EXPECT_EQ(cut.elements(), rows.elements() - 1);
  EXPECT_EQ(cut.segments().size(), 5u);
}

}  // namespace
}  // namespace scorpio::decomp
