// Layouts in memory against an element-wise reference, how tightly their lists pack, and bad input.
#include "decomp/memory_layout.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "decomp/run_algebra.h"
#include "reference.h"

namespace scorpio::decomp {
namespace {

using Values = std::vector<int64_t>;

int64_t any(int begin, int end) { return *rc::gen::inRange(begin, end); }

LocalPart any_box() {
  Values dims, start, stride, count, block;
  const int64_t ndims = any(0, 4);
  for (int64_t d = 0; d < ndims; ++d) {
    const bool plain = any(0, 2) == 0;
    block.push_back(plain ? 1 : any(1, 4));
    stride.push_back(plain ? 1 : block.back() + any(0, 3));
    count.push_back(any(1, 5));
    start.push_back(any(0, 3));
    dims.push_back(start.back() + (count.back() - 1) * stride.back() + block.back() + any(0, 2));
  }
  return *strided(dims, start, stride, count, block);
}

// Stretches that count up or down, holes, and in half of the cases elements that are held more than once.
LocalPart any_map() {
  const int64_t total = any(1, 60);
  const bool twice = *rc::gen::arbitrary<bool>();
  Values index;
  std::vector<bool> held(static_cast<size_t>(total), false);
  const int64_t stretches = any(0, 8);
  for (int64_t i = 0; i < stretches; ++i) {
    const int64_t step = any(-1, 4), length = any(1, 12);
    int64_t at = any(0, static_cast<int>(total));
    for (int64_t k = 0; k < length && at >= 0 && at < total; ++k, at += step) {
      const auto g = static_cast<size_t>(at);
      index.push_back(held[g] && !twice ? -1 : at);
      held[g] = true;
    }
  }
  return *map(Values{total}, index);
}

LocalPart any_part() { return *rc::gen::arbitrary<bool>() ? any_box() : any_map(); }

MemoryLayout any_layout(const Values& shape) {
  MemoryLayout layout;
  const bool dense = any(0, 4) == 0;
  for (const int64_t n : shape) {
    layout.start.push_back(dense ? 0 : any(0, 3));
    layout.stride.push_back(dense || any(0, 2) == 0 ? 1 : any(1, 4));
    const int64_t used = n == 0 ? 0 : layout.start.back() + (n - 1) * layout.stride.back() + 1;
    layout.extents.push_back(used + (dense ? 0 : any(0, 3)));
  }
  return layout;
}

int64_t place_of(int64_t local, const Values& shape, const MemoryLayout& layout) {
  Values index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = local % shape[d];
    local /= shape[d];
  }
  int64_t place = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    place = place * layout.extents[d] + layout.start[d] + index[d] * layout.stride[d];
  }
  return place;
}

Elements expected(const RunList& list, const Values& shape, const MemoryLayout& layout) {
  Elements out = elements_of(list);
  for (auto& [global, local] : out) local = place_of(local, shape, layout);
  std::sort(out.begin(), out.end());
  return out;
}

int64_t elements_in(const Values& extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

RC_GTEST_PROP(MemoryLayoutProperty, ElementsLieWhereTheirIndicesSay, ()) {
  const LocalPart part = any_part();
  const MemoryLayout layout = any_layout(part.shape);
  const auto moved = placed(part, layout);
  RC_ASSERT(moved.ok());
  check_promises(moved->runs);
  RC_ASSERT(elements_of(moved->runs) == expected(part.runs, part.shape, layout));
  RC_ASSERT(moved->local_elements == elements_in(layout.extents));
  RC_ASSERT(moved->shape == layout.extents);
  RC_ASSERT(moved->dims == part.dims);
  RC_ASSERT(moved->box == part.box);
  RC_ASSERT(moved->start == part.start);
  RC_ASSERT(moved->count == part.count);
}

RC_GTEST_PROP(MemoryLayoutProperty, AWindowGivesTheElementsInside, ()) {
  const LocalPart part = any_part();
  const MemoryLayout layout = any_layout(part.shape);
  const int64_t begin = any(-2, 60), end = begin + any(0, 40);
  Elements inside = expected(part.runs, part.shape, layout);
  std::erase_if(inside, [&](const auto& e) { return e.first < begin || e.first >= end; });
  RC_ASSERT(elements_of(placed(part, layout)->runs, begin, end) == inside);
}

RC_GTEST_PROP(MemoryLayoutProperty, AnArrayIsPlacedInALargerOne, ()) {
  const LocalPart part = any_part();
  const MemoryLayout inner = any_layout(part.shape), outer = any_layout(inner.extents);
  Elements twice = elements_of(part.runs);
  for (auto& [global, local] : twice) {
    local = place_of(place_of(local, part.shape, inner), inner.extents, outer);
  }
  std::sort(twice.begin(), twice.end());
  RC_ASSERT(elements_of(placed(*placed(part, inner), outer)->runs) == twice);
}

// The order in the buffer, which determines the values that are written, is kept.
RC_GTEST_PROP(MemoryLayoutProperty, TheLastOfTheBufferStaysTheLast, ()) {
  const LocalPart part = any_map();
  const MemoryLayout layout = any_layout(part.shape);
  const RunList last = last_wins(part.runs);
  RC_ASSERT(elements_of(last_wins(placed(part, layout)->runs)) == expected(last, part.shape, layout));
  RC_ASSERT(elements_of(placed(last, part.shape, layout)) == expected(last, part.shape, layout));
}

TEST(MemoryLayout, GhostCellsAroundABlockCostOneSegmentPerPlane) {
  const auto cut = block(Values{64, 64, 64}, Values{0, 16, 16}, Values{16, 16, 16});
  const auto whole = block(Values{16, 16, 16}, Values{0, 0, 0}, Values{16, 16, 16});
  for (const auto& part : {cut, whole}) {
    const auto moved = placed(*part, {{20, 22, 24}, {2, 3, 4}, {1, 1, 1}});
    ASSERT_TRUE(moved.ok());
    EXPECT_EQ(moved->runs.segments().size(), 16u);
    EXPECT_EQ(moved->runs.run_count(), 256);
    EXPECT_EQ(moved->runs.segments()[1].local, (3 * 22 + 3) * 24 + 4);
  }
}

// Blocks of a mesh with guard cells, 24 variables in each cell.
TEST(MemoryLayout, RowsOfInterleavedVariablesAreOneSegmentEach) {
  const auto blocks = block(Values{8, 16, 16, 16}, Values{2, 0, 0, 0}, Values{3, 16, 16, 16});
  const auto moved = placed(*blocks, {{3, 24, 24, 24 * 24}, {0, 4, 4, 4 * 24 + 7}, {1, 1, 1, 24}});
  ASSERT_TRUE(moved.ok());
  ASSERT_EQ(moved->runs.segments().size(), size_t{3 * 16 * 16});
  const Segment& row = moved->runs.segments()[0];
  EXPECT_EQ(row.local, ((4 * 24 + 4) * 24 + 4) * 24 + 7);
  EXPECT_EQ(row.length, 1);
  EXPECT_EQ(row.count, 16);
  EXPECT_EQ(row.global_stride, 1);
  EXPECT_EQ(row.local_stride, 24);
}

TEST(MemoryLayout, WithoutGhostCellsTheListIsTheSame) {
  const auto part = block(Values{10, 20, 30}, Values{1, 2, 3}, Values{4, 5, 6});
  const auto moved = placed(*part, {{4, 5, 6}, {0, 0, 0}, {1, 1, 1}});
  ASSERT_TRUE(moved.ok());
  EXPECT_EQ(moved->runs.expand(), part->runs.expand());
  EXPECT_EQ(moved->runs.segments().size(), part->runs.segments().size());
}

// 2^40 elements: only segments may be looked at. Extents of 1 make no rows of one element.
TEST(MemoryLayout, ElementsOfOneRowAreNotEnumerated) {
  const int64_t n = int64_t{1} << 40;
  const auto solid = block(Values{n, 1, 1}, Values{0, 0, 0}, Values{n, 1, 1});
  const auto column = block(Values{n, 50}, Values{0, 7}, Values{n, 1});
  const auto ghosts = placed(*solid, {{n + 2, 1, 1}, {1, 0, 0}, {1, 1, 1}});
  ASSERT_EQ(ghosts->runs.segments().size(), 1u);
  EXPECT_EQ(ghosts->runs.run_count(), 1);
  EXPECT_EQ(ghosts->runs.segments()[0].local, 1);
  const auto spaced = placed(*solid, {{3 * n, 1, 1}, {0, 0, 0}, {3, 1, 1}});
  ASSERT_EQ(spaced->runs.segments().size(), 1u);
  EXPECT_EQ(spaced->runs.segments()[0].local_stride, 3);
  const auto components = placed(*column, {{n + 2, 5}, {1, 4}, {1, 9}});
  ASSERT_EQ(components->runs.segments().size(), 1u);
  EXPECT_EQ(components->runs.segments()[0].local, 9);
  EXPECT_EQ(components->runs.segments()[0].local_stride, 5);
}

TEST(MemoryLayout, ABufferThatRunsBackwardsStaysOneSegment) {
  Values index(100);
  for (int64_t i = 0; i < 100; ++i) index[static_cast<size_t>(i)] = 99 - i;
  const auto moved = placed(*map(Values{100}, index), {{400}, {1}, {2}});
  ASSERT_TRUE(moved.ok());
  ASSERT_EQ(moved->runs.segments().size(), 1u);
  EXPECT_EQ(moved->runs.segments()[0].local, 199);
  EXPECT_EQ(moved->runs.segments()[0].local_stride, -2);
}

TEST(MemoryLayout, ShapesAreThoseOfTheBuffer) {
  EXPECT_EQ(block(Values{9, 9}, Values{1, 2}, Values{3, 4})->shape, (Values{3, 4}));
  EXPECT_EQ(uniform(Values{9, 4}, 0, 2)->shape, (Values{5, 4}));
  EXPECT_EQ(rows(Values{9, 4}, 2, 3)->shape, (Values{3, 4}));
  EXPECT_EQ(strided(Values{9, 9}, Values{0, 0}, Values{3, 4}, Values{3, 2}, Values{2, 1})->shape,
            (Values{6, 2}));
  EXPECT_EQ(map(Values{9, 9}, Values{4, -1, 5})->shape, (Values{3}));
  EXPECT_EQ(block({}, {}, {})->shape, Values());
}

TEST(MemoryLayout, APartWithoutElementsFitsAnyArray) {
  const auto none = block(Values{4, 5}, Values{0, 0}, Values{0, 5});
  for (const Values& extents : {Values{0, 0}, Values{7, 3}, Values{0, 9}}) {
    const auto moved = placed(*none, {extents, {2, 2}, {1, 1}});
    ASSERT_TRUE(moved.ok()) << moved.status().text();
    EXPECT_TRUE(moved->runs.empty());
    EXPECT_EQ(moved->local_elements, elements_in(extents));
  }
  EXPECT_TRUE(placed(*map(Values{5}, Values{-1, -1}), {{1}, {0}, {1}}).ok());
}

TEST(MemoryLayout, OneElementFitsIfItsPlaceDoes) {
  const int64_t far = int64_t{1} << 62;
  const auto one = block(Values{4}, Values{2}, Values{1});
  EXPECT_EQ(placed(*one, {{far}, {far - 1}, {INT64_MAX}})->runs.expand(), (Runs{{2, far - 1, 1}}));
  EXPECT_EQ(placed(*block({}, {}, {}), {{}, {}, {}})->runs.expand(), (Runs{{0, 0, 1}}));
}

void expect_refused(const LocalPart& part, const MemoryLayout& layout, Code code, const char* text) {
  const Status status = placed(part, layout).status();
  EXPECT_EQ(status.code(), code) << status.text();
  EXPECT_NE(status.text().find(text), std::string::npos) << status.text();
}

TEST(MemoryLayout, RefusesWhatDoesNotFit) {
  const LocalPart part = *block(Values{9, 9}, Values{0, 0}, Values{3, 4});
  expect_refused(part, {{12}, {0}, {1}}, Code::shape,
                 "has 1 dimensions, the buffer of the decomposition has 2");
  expect_refused(part, {{3, 4, 1}, {0, 0, 0}, {1, 1, 1}}, Code::shape, "extents 3 x 4");
  expect_refused(
      part, {{3, 5}, {0, 2}, {1, 1}}, Code::shape,
      "4 elements from start 2 with stride 1 leave dimension 1 of the local array, whose extent is 5");
  expect_refused(part, {{5, 4}, {1, 0}, {2, 1}}, Code::shape, "leave dimension 0");
  expect_refused(part, {{0, 4}, {0, 0}, {1, 1}}, Code::shape, "leave dimension 0");
  expect_refused(part, {{3, 4}, {0, INT64_MAX}, {1, 1}}, Code::shape, "leave dimension 1");
  expect_refused(part, {{3, 4}, {0, 0}, {INT64_MAX, 1}}, Code::shape, "leave dimension 0");
  EXPECT_TRUE(placed(part, {{6, 7}, {1, 0}, {2, 2}}).ok());
}

TEST(MemoryLayout, RefusesValuesThatNoLayoutHas) {
  const LocalPart none = *block(Values{9, 9}, Values{0, 0}, Values{0, 4});
  const LocalPart some = *block(Values{9, 9}, Values{0, 0}, Values{3, 4});
  for (const LocalPart& part : {none, some}) {
    expect_refused(part, {{-3, 4}, {0, 0}, {1, 1}}, Code::argument, "extent -3 of dimension 0");
    expect_refused(part, {{3, 4}, {0, -1}, {1, 1}}, Code::argument, "start -1 in dimension 1");
    expect_refused(part, {{3, 4}, {0, 0}, {0, 1}}, Code::argument, "stride 0 in dimension 0");
    expect_refused(part, {{int64_t{1} << 40, int64_t{1} << 40}, {0, 0}, {1, 1}}, Code::limit, "2^63 - 1");
  }
}

}  // namespace
}  // namespace scorpio::decomp
