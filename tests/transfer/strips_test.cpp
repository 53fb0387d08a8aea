// Units in strips of several variables.
#include "transfer/strips.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "transfer/stored_ranges.h"

namespace scorpio::transfer {
namespace {

using Ranges = std::vector<ByteRange>;

constexpr uint64_t k_unit_bytes = 64;

plan::DomainRule rule_of(int io_ranks) { return {k_unit_bytes, k_unit_bytes, io_ranks, false}; }

TEST(Strips, GoThroughAllVariablesTogether) {
  // Two variables of four units each, two units at once.
  const Ranges slabs{{0, 256}, {256, 512}};
  const std::vector<Ranges> expected{
      {{0, 64}, {256, 320}}, {{64, 128}, {320, 384}}, {{128, 192}, {384, 448}}, {{192, 256}, {448, 512}}};
  EXPECT_EQ(expected, strips_of({{0, 512}}, slabs, rule_of(1), 2));
  const Ranges all{{0, 512}};
  EXPECT_EQ(std::vector<Ranges>{all}, strips_of(all, slabs, rule_of(1), 8));
  EXPECT_TRUE(strips_of({}, slabs, rule_of(1), 8).empty());
}

// Units alternate between two I/O ranks, and each variable has an even number of them.
TEST(Strips, GiveAllIoRanksWork) {
  const Ranges slabs{{0, 256}, {256, 512}, {512, 768}};
  const std::vector<Ranges> expected{{{0, 128}, {256, 384}, {512, 640}},
                                     {{128, 256}, {384, 512}, {640, 768}}};
  EXPECT_EQ(expected, strips_of({{0, 768}}, slabs, rule_of(2), 3));
}

TEST(Strips, AreNotMadeOfVariablesSmallerThanUnits) {
  Ranges slabs;
  for (uint64_t i = 0; i < 100; ++i) slabs.push_back({i * 20, i * 20 + 20});
  const Ranges all{{0, 2000}};
  EXPECT_EQ(std::vector<Ranges>{all}, strips_of(all, slabs, rule_of(2), 4));
}

RC_GTEST_PROP(Strips, HoldEveryByteOnceAndWholeUnits, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  Ranges slabs;
  uint64_t at = random() % 100;
  for (size_t i = 0; i < 1 + random() % 20; ++i) {
    slabs.push_back({at, at + 1 + random() % 1000});
    at = slabs.back().end + (random() % 2 == 0 ? 0 : random() % 200);
  }
  const ByteRange hull{slabs.front().begin, slabs.back().end};
  const Ranges stored = stored_ranges(slabs, hull);
  const uint64_t at_once = 1 + random() % 20;
  const int io_ranks = 1 + static_cast<int>(random() % 4);
  Ranges all;
  std::set<uint64_t> units;
  for (const Ranges& strip : strips_of(stored, slabs, rule_of(io_ranks), at_once)) {
    RC_ASSERT(!strip.empty());
    std::set<uint64_t> own;
    for (size_t i = 0; i < strip.size(); ++i) {
      RC_ASSERT(strip[i].begin < strip[i].end);
      if (i > 0) RC_ASSERT(strip[i - 1].end < strip[i].begin);
      for (uint64_t r = strip[i].begin / k_unit_bytes; r * k_unit_bytes < strip[i].end; ++r) own.insert(r);
    }
    for (const uint64_t unit : own) RC_ASSERT(units.insert(unit).second);
    all.insert(all.end(), strip.begin(), strip.end());
  }
  std::sort(all.begin(), all.end(), [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  RC_ASSERT(stored_ranges(all, hull) == stored);
}

}  // namespace
}  // namespace scorpio::transfer
