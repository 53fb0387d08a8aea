// Segments that are kept packed, against a plain list of them.
#include "decomp/segment_store.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "decomp/local_part.h"
#include "decomp/run_algebra.h"
#include "support/allocations.h"

namespace scorpio::decomp {
namespace {

// Numbers of all lengths.
int64_t any_size() { return *rc::gen::inRange<int64_t>(1, int64_t{1} << *rc::gen::inRange(1, 50)); }

std::vector<Segment> any_segments() {
  std::vector<Segment> segments;
  int64_t global = *rc::gen::element<int64_t>(0, (int64_t{1} << 32) - 3, int64_t{1} << 52);
  const int count = *rc::gen::inRange(0, 300);
  const bool overlaps = *rc::gen::arbitrary<bool>();
  for (int i = 0; i < count; ++i) {
    Segment s{global, any_size() - any_size(), *rc::gen::inRange<int64_t>(1, 300)};
    if (*rc::gen::arbitrary<bool>()) {
      s.count = *rc::gen::inRange<int64_t>(2, 70000);
      s.global_stride = s.length + *rc::gen::inRange<int64_t>(0, 5);
      s.local_stride = any_size() - any_size();
    }
    segments.push_back(s);
    global = overlaps ? global + *rc::gen::inRange<int64_t>(0, 400) : s.global_end() + any_size() % 500;
  }
  return segments;
}

bool equal(const Segment& a, const Segment& b) {
  return a.global == b.global && a.local == b.local && a.length == b.length && a.count == b.count &&
         a.global_stride == b.global_stride && a.local_stride == b.local_stride;
}

SegmentStore packed(const std::vector<Segment>& segments) {
  SegmentPacker packer;
  for (const Segment& s : segments) packer.add(s);
  return packer.take();
}

RC_GTEST_PROP(SegmentStore, HasWhatWasPacked, ()) {
  const std::vector<Segment> segments = any_segments();
  const SegmentStore store = packed(segments);
  RC_ASSERT(store.size() == segments.size());
  RC_ASSERT(std::equal(store.begin(), store.end(), segments.begin(), segments.end(), equal));
  int64_t elements = 0, runs = 0;
  for (size_t i = 0; i < segments.size(); ++i) {
    RC_ASSERT(equal(store[i], segments[i]));
    elements += segments[i].elements();
    runs += segments[i].count;
  }
  RC_ASSERT(store.elements() == elements);
  RC_ASSERT(store.runs() == runs);
}

RC_GTEST_PROP(SegmentStore, UnpacksSeveralAtOnce, ()) {
  const std::vector<Segment> segments = any_segments();
  const SegmentStore store = packed(segments);
  std::vector<Segment> some(*rc::gen::inRange<size_t>(1, 100));
  size_t at = *rc::gen::inRange<size_t>(0, segments.size() + 1);
  while (const size_t count = store.unpack(at, some)) {
    RC_ASSERT(count <= some.size());
    RC_ASSERT(at + count <= segments.size());
    for (size_t i = 0; i < count; ++i) RC_ASSERT(equal(some[i], segments[at + i]));
    at += count;
  }
  RC_ASSERT(at == segments.size());
}

RC_GTEST_PROP(SegmentStore, FindsTheFirstThatReachesFurther, ()) {
  const std::vector<Segment> segments = any_segments();
  RC_PRE(!segments.empty());
  const SegmentStore store = packed(segments);
  int64_t reach = segments[0].global;
  bool overlap = false;
  for (const Segment& s : segments) {
    overlap = overlap || s.global < reach;
    reach = std::max(reach, s.global_end());
  }
  RC_ASSERT(store.overlap() == overlap);
  RC_ASSERT(store.reach() == reach);
  for (int i = 0; i < 20; ++i) {
    const int64_t begin = *rc::gen::inRange<int64_t>(segments[0].global - 1, reach + 2);
    const auto first =
        std::ranges::find_if(segments, [&](const Segment& s) { return s.global_end() > begin; });
    RC_ASSERT(store.first_reaching(begin) == static_cast<size_t>(first - segments.begin()));
  }
}

TEST(SegmentStore, KeepsExtremeValues) {
  const std::vector<Segment> segments{
      {INT64_MIN, INT64_MAX, 1}, {-1, INT64_MIN, 1}, {0, 0, 1, 2, 7, INT64_MIN / 2}, {INT64_MAX - 1, -1, 1}};
  const SegmentStore store = packed(segments);
  EXPECT_TRUE(std::equal(store.begin(), store.end(), segments.begin(), segments.end(), equal));
}

TEST(SegmentStore, WithoutSegmentsIsEmpty) {
  const SegmentStore store = packed({{5, 0, 0}, {6, 0, 3, 0}});
  EXPECT_TRUE(store.empty());
  EXPECT_TRUE(store.begin() == store.end());
  EXPECT_EQ(store.first_reaching(0), 0u);
  EXPECT_EQ(store.kept_bytes(), 0u);
}

TEST(SegmentStore, TakesFewBytesForARegularPart) {
  EXPECT_LE(packed({{int64_t{1} << 50, 0, 1 << 20, 1 << 20, 1 << 25, 1 << 20}}).kept_bytes(), 128u);
}

// A part of a map in which no element lies beside another one, with holes and elements that are held twice.
std::vector<int64_t> scattered(int64_t elements, int64_t run) {
  std::mt19937_64 random(7);
  std::vector<int64_t> begins(static_cast<size_t>(4 * elements / run));
  for (size_t i = 0; i < begins.size(); ++i) begins[i] = static_cast<int64_t>(i) * run;
  std::shuffle(begins.begin(), begins.end(), random);
  std::vector<int64_t> index;
  for (int64_t i = 0; i < elements; ++i) index.push_back(begins[static_cast<size_t>(i / run)] + i % run);
  for (size_t i = 1000; i < index.size(); i += 1000) index[i] = i % 3000 == 0 ? index[i / 2] : -1;
  return index;
}

TEST(SegmentStore, TakesFewBytesForScatteredElements) {
  constexpr int64_t k_elements = 300'000;
  const int64_t dims[] = {4 * k_elements};
  for (const int64_t run : {1, 4}) {
    const auto part = map(dims, scattered(k_elements, run));
    ASSERT_TRUE(part.ok());
    const int64_t runs = part->runs.run_count();
    EXPECT_GE(runs, k_elements / run / 2);
    const size_t kept = part->runs.segments().kept_bytes() + last_wins(part->runs).segments().kept_bytes();
    EXPECT_LE(kept, 16 * static_cast<size_t>(runs)) << "runs of " << run;
  }
}

TEST(SegmentStore, CopiesShareTheirMemory) {
  const auto part = map(std::vector<int64_t>{1000}, std::vector<int64_t>{7, 3, 900, 1, 500});
  const uint64_t before = test::allocations();
  const RunList copy = part->runs;
  const RunList same = last_wins(part->runs);
  EXPECT_EQ(before, test::allocations());
  EXPECT_EQ(part->runs.run_count(), copy.run_count());
  EXPECT_EQ(part->runs.run_count(), same.run_count());
}

}  // namespace
}  // namespace scorpio::decomp
