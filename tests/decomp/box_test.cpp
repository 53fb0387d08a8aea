// Block, uniform, rows and strided decompositions: against element-wise enumeration, and bad input.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "decomp/local_part.h"
#include "reference.h"

namespace scorpio::decomp {
namespace {

using Values = std::vector<int64_t>;

// Row-major enumeration of a hyperslab, index by index.
Elements enumerate(const Values& dims, const Values& start, const Values& stride, const Values& count,
                   const Values& block) {
  Values shape(dims.size());
  for (size_t d = 0; d < dims.size(); ++d) shape[d] = count[d] * block[d];
  const int64_t total = std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  Elements out;
  for (int64_t local = 0; local < total; ++local) {
    int64_t rest = local;
    int64_t global = 0;
    int64_t step = 1;
    for (size_t d = dims.size(); d-- > 0;) {
      const int64_t i = rest % shape[d];
      rest /= shape[d];
      global += (start[d] + i / block[d] * stride[d] + i % block[d]) * step;
      step *= dims[d];
    }
    out.push_back({global, local});
  }
  std::sort(out.begin(), out.end());
  return out;
}

struct Slab {
  Values dims, start, stride, count, block;
};

Slab any_slab(bool plain) {
  Slab s;
  const int ndims = *rc::gen::inRange(0, 5);
  for (int d = 0; d < ndims; ++d) {
    s.block.push_back(plain ? 1 : *rc::gen::inRange(1, 4));
    s.stride.push_back(plain ? 1 : s.block[d] + *rc::gen::inRange(0, 3));
    s.count.push_back(*rc::gen::inRange(1, 5));
    s.start.push_back(*rc::gen::inRange(0, 3));
    s.dims.push_back(s.start[d] + (s.count[d] - 1) * s.stride[d] + s.block[d] + *rc::gen::inRange(0, 3));
  }
  if (ndims > 1 && *rc::gen::arbitrary<bool>()) s.dims[0] = (int64_t{1} << 41) + 7;
  if (ndims > 1 && *rc::gen::arbitrary<bool>())
    s.start[0] = s.dims[0] - (s.count[0] - 1) * s.stride[0] - s.block[0];
  return s;
}

RC_GTEST_PROP(BoxProperty, BlockHoldsItsElements, ()) {
  const Slab s = any_slab(true);
  const auto part = block(s.dims, s.start, s.count);
  RC_ASSERT(part.ok());
  check_promises(part->runs);
  RC_ASSERT(elements_of(part->runs) == enumerate(s.dims, s.start, s.stride, s.count, s.block));
  RC_ASSERT(part->local_elements == part->runs.elements());
  RC_ASSERT(part->box);
  RC_ASSERT(part->start == s.start);
  RC_ASSERT(part->count == s.count);
}

RC_GTEST_PROP(BoxProperty, StridedHoldsItsElements, ()) {
  const Slab s = any_slab(false);
  const auto part = strided(s.dims, s.start, s.stride, s.count, s.block);
  RC_ASSERT(part.ok());
  check_promises(part->runs);
  const Elements expected = enumerate(s.dims, s.start, s.stride, s.count, s.block);
  RC_ASSERT(elements_of(part->runs) == expected);
  if (part->box) RC_ASSERT(elements_of(block(s.dims, part->start, part->count)->runs) == expected);
  RC_ASSERT(static_cast<int64_t>(expected.size()) == part->local_elements);
}

RC_GTEST_PROP(BoxProperty, SegmentsComeInFileOrder, ()) {
  const Slab s = any_slab(false);
  const auto part = strided(s.dims, s.start, s.stride, s.count, s.block);
  int64_t end = 0;
  part->runs.for_each([&](const auto& run) {
    RC_ASSERT(run.global >= end);
    end = run.global + run.length;
  });
}

RC_GTEST_PROP(BoxProperty, UniformSharesTileTheRows, ()) {
  const Values dims{*rc::gen::inRange(0, 40), *rc::gen::inRange(1, 4)};
  const int ranks = *rc::gen::inRange(1, 12);
  int64_t next = 0;
  int64_t largest = 0;
  int64_t smallest = INT64_MAX;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto part = uniform(dims, rank, ranks);
    RC_ASSERT(part.ok());
    if (!part->runs.empty()) RC_ASSERT(part->runs.hull().begin == next);
    next += part->runs.elements();
    largest = std::max(largest, part->runs.elements());
    smallest = std::min(smallest, part->runs.elements());
  }
  RC_ASSERT(next == dims[0] * dims[1]);
  RC_ASSERT(largest - smallest <= dims[1]);
}

TEST(Box, FullPlanesAreOneRun) {
  const auto part = block(Values{100, 200, 300}, Values{10, 0, 0}, Values{20, 200, 300});
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->runs.expand(), (Runs{{600'000, 0, 1'200'000}}));
}

TEST(Box, OneSegmentPerPlane) {
  const auto part = block(Values{64, 64, 64}, Values{0, 16, 16}, Values{16, 16, 16});
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->runs.segments().size(), 16u);
  EXPECT_EQ(part->runs.run_count(), 256);
}

TEST(Box, FullRowsOfManyPlanesAreOneSegment) {
  const auto part = block(Values{50, 64, 64}, Values{0, 0, 16}, Values{50, 64, 16});
  ASSERT_TRUE(part.ok());
  ASSERT_EQ(part->runs.segments().size(), 1u);
  EXPECT_EQ(part->runs.segments()[0].count, 50 * 64);
}

TEST(Box, ArrayBeyondMemoryCostsNothing) {
  const int64_t n = int64_t{1} << 20;
  const auto part = block(Values{n, n, n}, Values{0, 0, n / 2}, Values{n, n, n / 2});
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->runs.segments().size(), 1u);
  EXPECT_EQ(part->runs.elements(), n * n * (n / 2));
  EXPECT_EQ(part->runs.hull().end, n * n * n);
}

TEST(Box, ZeroCountIsNoDataWhereverItStarts) {
  const auto part = block(Values{4, 5}, Values{77, 0}, Values{0, 5});
  ASSERT_TRUE(part.ok());
  EXPECT_TRUE(part->runs.empty());
  EXPECT_TRUE(part->box);
  EXPECT_EQ(part->local_elements, 0);
}

TEST(Box, ZeroExtentsBesideHugeOnesAreNoOverflow) {
  const Values dims{int64_t{1} << 62, 0, int64_t{1} << 62};
  EXPECT_EQ(*product(dims), 0);
  const auto part = block(dims, Values{0, 0, 0}, Values{1, 0, 1});
  ASSERT_TRUE(part.ok());
  EXPECT_TRUE(part->runs.empty());
  EXPECT_EQ(block(dims, Values{0, 0, 0}, Values{1, 1, 1}).status().code(), Code::shape);
}

TEST(Box, NoDimensionsIsOneElement) {
  const auto part = block({}, {}, {});
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(part->runs.expand(), (Runs{{0, 0, 1}}));
}

TEST(Box, LeavingTheArrayNamesDimensionAndValues) {
  const auto part = block(Values{4, 50}, Values{0, 45}, Values{4, 6});
  ASSERT_EQ(part.status().code(), Code::shape);
  EXPECT_NE(part.status().text().find("dimension 1: start 45 + count 6 is more than the extent 50"),
            std::string::npos)
      << part.status().text();
}

TEST(Box, ChecksOverflowingBounds) {
  EXPECT_EQ(block(Values{4}, Values{INT64_MAX}, Values{2}).status().code(), Code::shape);
  EXPECT_EQ(block(Values{4}, Values{1}, Values{INT64_MAX}).status().code(), Code::shape);
  EXPECT_EQ(rows(Values{4}, INT64_MAX, 2).status().code(), Code::shape);
  EXPECT_EQ(strided(Values{9}, Values{0}, Values{INT64_MAX}, Values{3}, {}).status().code(), Code::shape);
  EXPECT_EQ(strided(Values{9}, Values{0}, Values{INT64_MAX}, Values{1}, Values{INT64_MAX}).status().code(),
            Code::shape);
  EXPECT_TRUE(strided(Values{9}, Values{0}, Values{INT64_MAX}, Values{1}, Values{9}).ok());
}

TEST(Box, RefusesWhatMakesNoSense) {
  EXPECT_EQ(block(Values{4}, Values{0, 0}, Values{1}).status().code(), Code::shape);
  EXPECT_EQ(block(Values{4}, Values{0}, Values{1, 1}).status().code(), Code::shape);
  EXPECT_EQ(block(Values{4}, Values{-1}, Values{1}).status().code(), Code::argument);
  EXPECT_EQ(block(Values{4}, Values{0}, Values{-1}).status().code(), Code::argument);
  EXPECT_EQ(block(Values{-4}, Values{0}, Values{1}).status().code(), Code::argument);
  EXPECT_EQ(block(Values{int64_t{1} << 62, 4}, Values{0, 0}, Values{1, 1}).status().code(), Code::limit);
  EXPECT_EQ(rows(Values{4}, 2, 3).status().code(), Code::shape);
  EXPECT_EQ(rows(Values{4}, 0, -1).status().code(), Code::argument);
  EXPECT_EQ(rows({}, 0, 1).status().code(), Code::shape);
  EXPECT_EQ(uniform({}, 0, 1).status().code(), Code::shape);
  EXPECT_EQ(uniform(Values{4}, 4, 4).status().code(), Code::argument);
  EXPECT_EQ(strided(Values{9}, Values{0}, Values{2}, Values{2}, Values{3}).status().code(), Code::argument);
  EXPECT_EQ(strided(Values{9}, Values{0}, Values{0}, Values{1}, {}).status().code(), Code::argument);
  EXPECT_EQ(strided(Values{9}, Values{0}, {}, Values{1}, Values{0}).status().code(), Code::argument);
  EXPECT_EQ(strided(Values{9}, Values{1}, Values{4}, Values{3}, {}).status().code(), Code::shape);
}

TEST(Box, StrideEqualToBlockIsAPlainBox) {
  const auto part = strided(Values{12, 10}, Values{0, 2}, Values{3, 2}, Values{2, 3}, Values{3, 2});
  ASSERT_TRUE(part.ok());
  EXPECT_TRUE(part->box);
  EXPECT_EQ(part->count, (Values{6, 6}));
  EXPECT_EQ(part->runs.segments().size(), 1u);
  EXPECT_FALSE(strided(Values{12}, Values{0}, Values{2}, Values{3}, {})->box);
}

}  // namespace
}  // namespace scorpio::decomp
