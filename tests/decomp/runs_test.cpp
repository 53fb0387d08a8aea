// Run lists against their element-wise reference, and how tightly they pack.
#include "decomp/runs.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "decomp/nest.h"
#include "reference.h"

namespace scorpio::decomp {
namespace {

bool has_twice(const Elements& elements) {
  return std::adjacent_find(elements.begin(), elements.end(), [](const auto& a, const auto& b) {
           return a.first == b.first;
         }) != elements.end();
}

RC_GTEST_PROP(RunListProperty, HoldsTheElementsItWasGiven, ()) {
  const Runs runs = any_runs(any_origin());
  const RunList list(runs);
  check_promises(list);
  RC_ASSERT(elements_of(list) == elements_of(runs));
}

RC_GTEST_PROP(RunListProperty, WindowGivesTheElementsInside, ()) {
  const int64_t origin = any_origin();
  const Runs runs = any_runs(origin);
  const RunList list(runs);
  const int64_t begin = origin + 1000 + *rc::gen::inRange(-50, 200);
  const int64_t end = begin + *rc::gen::inRange(0, 100);
  Elements expected = elements_of(runs);
  std::erase_if(expected, [&](const auto& e) { return e.first < begin || e.first >= end; });
  RC_ASSERT(elements_of(list, begin, end) == expected);
  RC_ASSERT(list.any(begin, end) == !expected.empty());
  if (!expected.empty()) RC_ASSERT(list.first_in(begin, end) == expected.front().first);
}

Elements elements_of_rows(const RunList& list, int64_t begin, int64_t end) {
  Elements found;
  list.for_each_row(begin, end, [&](const Row& row) {
    RC_ASSERT(row.length > 0);
    for (int64_t i = 0; i < row.length; ++i)
      found.push_back({row.global + i, row.local + i * row.local_stride});
  });
  std::sort(found.begin(), found.end());
  return found;
}

RC_GTEST_PROP(RunListProperty, RowsGiveTheElementsInside, ()) {
  const int64_t origin = any_origin();
  const Runs runs = any_runs(origin);
  const RunList list(runs);
  const int64_t begin = origin + 1000 + *rc::gen::inRange(-50, 200);
  const int64_t end = begin + *rc::gen::inRange(0, 300);
  RC_ASSERT(elements_of_rows(list, begin, end) == elements_of(list, begin, end));
}

// Single elements at any distances, more than a block of segments has, some of them adjacent in the array.
RC_GTEST_PROP(RunListProperty, RowsOfScatteredElementsGiveThoseInside, ()) {
  const int64_t origin = any_origin();
  const auto steps = *rc::gen::container<std::vector<int>>(
      *rc::gen::inRange<size_t>(1, 400), rc::gen::weightedElement<int>({{6, 1}, {1, 2}, {1, 13}, {1, 70}}));
  const int spacing = *rc::gen::inRange(-3, 4);
  Runs runs;
  int64_t global = origin, local = 5000;
  for (const int step : steps) {
    runs.push_back({global, local, 1});
    global += step;
    local += step == 13 ? 1001 : spacing;
  }
  const RunList list(runs);
  check_promises(list);
  RC_ASSERT(elements_of_rows(list, origin, global) == elements_of(runs));
  const int64_t begin = origin + *rc::gen::inRange<int64_t>(0, global - origin);
  const int64_t end = begin + *rc::gen::inRange<int64_t>(0, global - begin + 1);
  RC_ASSERT(elements_of_rows(list, begin, end) == elements_of(list, begin, end));
}

RC_GTEST_PROP(RunListProperty, SpansCoverTheElementsInside, ()) {
  const int64_t origin = any_origin();
  const Runs runs = any_runs(origin);
  const bool twice = has_twice(elements_of(runs));
  const RunList list(runs);
  const int64_t begin = origin + 1000 + *rc::gen::inRange(-50, 200);
  const int64_t end = begin + *rc::gen::inRange(0, 100);
  std::set<int64_t> expected, covered;
  for (const auto& element : elements_of(runs)) {
    if (element.first >= begin && element.first < end) expected.insert(element.first);
  }
  int64_t last = INT64_MIN;
  list.for_each_span(begin, end, [&](const Interval& span) {
    RC_ASSERT(span.begin < span.end);
    if (!twice) RC_ASSERT(span.begin > last);  // in as few pieces as can be
    last = span.end;
    for (int64_t i = span.begin; i < span.end; ++i) covered.insert(i);
  });
  RC_ASSERT(covered == expected);
}

RC_GTEST_PROP(RunListProperty, AscendsWhenNothingIsHeldTwice, ()) {
  const Runs runs = any_runs(any_origin());
  RC_PRE(!has_twice(elements_of(runs)));
  const RunList list(runs);
  int64_t end = INT64_MIN;
  list.for_each([&](const auto& run) {
    RC_ASSERT(run.global >= end);
    end = run.global + run.length;
  });
}

RC_GTEST_PROP(RunListProperty, HullIsTight, ()) {
  const Runs runs = any_runs(any_origin());
  RC_PRE(!runs.empty());
  const Elements elements = elements_of(runs);
  const Interval hull = RunList(runs).hull();
  RC_ASSERT(hull.begin == elements.front().first);
  RC_ASSERT(hull.end == elements.back().first + 1);
}

RC_GTEST_PROP(RunListProperty, FromSortedTakesItsOwnSegments, ()) {
  const RunList list(any_runs(any_origin()));
  const RunList again = RunList::from_sorted({list.segments().begin(), list.segments().end()});
  RC_ASSERT(elements_of(again) == elements_of(list));
  RC_ASSERT(again.elements() == list.elements());
  RC_ASSERT(again.run_count() == list.run_count());
  RC_ASSERT(again.hull() == list.hull());
}

TEST(RunList, EmptyListHasNothing) {
  const RunList list(Runs{{7, 0, 0}});
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.hull(), (Interval{0, 0}));
  list.for_each([](const auto&) { FAIL() << "an empty list visited a run"; });
}

TEST(RunList, MergesWhatContinuesInBuffer) {
  const RunList list({{10, 0, 5}, {15, 5, 5}, {20, 11, 5}});
  EXPECT_EQ(list.expand(), (Runs{{10, 0, 10}, {20, 11, 5}}));
}

TEST(RunList, PacksEqualSpacingIntoOneSegment) {
  Runs runs;
  for (int64_t row = 999; row >= 0; --row) runs.push_back({(int64_t{1} << 41) + row * 1'000'000, row * 8, 8});
  const RunList list(runs);
  ASSERT_EQ(list.segments().size(), 1u);
  EXPECT_EQ(list.segments()[0].count, 1000);
  EXPECT_EQ(list.elements(), 8000);
}

TEST(RunList, PacksABufferThatRunsBackwards) {
  Runs runs;
  for (int64_t i = 0; i < 100; ++i) runs.push_back({99 - i, i, 1});
  const RunList list(runs);
  ASSERT_EQ(list.segments().size(), 1u);
  EXPECT_EQ(list.segments()[0].local_stride, -1);
}

TEST(RunList, WindowFindsALongRunBehindShortOnes) {
  const RunList list({{0, 0, 1000}, {10, 1000, 1}, {20, 1001, 2}});
  EXPECT_EQ(elements_of(list, 500, 501), (Elements{{500, 500}}));
}

TEST(Nest, LevelsThatGoOnInTheArrayAndInTheBufferAreOneRun) {
  Nest nest;                // components of the cells of a grid of 4 x 8 that has a margin of 2 in the buffer
  nest.enclose(5, 1, 1);    // components
  nest.enclose(8, 5, 5);    // cells of a line
  nest.enclose(4, 50, 60);  // lines
  const RunList list = nest.runs_from(100);
  ASSERT_EQ(list.segments().size(), 1u);
  EXPECT_EQ(list.segments()[0].length, 40);
  EXPECT_EQ(list.segments()[0].count, 4);
  EXPECT_EQ(list.expand()[3], (decomp::Run{250, 180, 40}));
}

TEST(Nest, WhatOnlyGoesOnInTheArrayStaysApart) {
  Nest nest;
  nest.enclose(5, 1, 7);
  nest.enclose(3, 5, -1);
  EXPECT_EQ(elements_of(nest.runs_from(0), 4, 7), (Elements{{4, 28}, {5, -1}, {6, 6}}));
}

}  // namespace
}  // namespace scorpio::decomp
