// Whether the parts of all ranks cover a range of the file wholly, against counting byte by byte.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <vector>

#include "transfer/combined_flow.h"

namespace scorpio::transfer {
namespace {

using decomp::Run;
using decomp::RunList;

// Some ranks' parts of one array of `elements`.
struct Ranks {
  uint64_t begin;
  size_t element_bytes;
  int64_t elements;
  std::vector<std::vector<Run>> runs;  // [ranks]

  std::vector<int> counts() const {
    std::vector<int> counts(static_cast<size_t>(elements), 0);
    for (const std::vector<Run>& all : runs) {
      for (const Run& run : all) {
        for (int64_t i = 0; i < run.length; ++i) ++counts[static_cast<size_t>(run.global + i)];
      }
    }
    return counts;
  }
  bool once() const {
    const std::vector<int> all = counts();
    return std::all_of(all.begin(), all.end(), [](int count) { return count == 1; });
  }
  ByteRange bytes() const { return {begin, begin + static_cast<uint64_t>(elements) * element_bytes}; }
  Reach reach() const {
    Reach sum;
    for (const std::vector<Run>& all : runs) {
      const RunList list(all);
      const exchange::Part part{.begin = begin, .element_bytes = element_bytes, .runs = &list};
      const Reach one = reach_of({&part, 1});
      sum.begin = std::min(sum.begin, one.begin);
      sum.end = std::max(sum.end, one.end);
      sum.edges += one.edges;
    }
    return sum;
  }
};

Ranks random_ranks(std::mt19937& random) {
  Ranks ranks{random() % 1000, 1 + random() % 8, static_cast<int64_t>(1 + random() % 60), {}};
  ranks.runs.resize(1 + random() % 5);
  std::vector<int64_t> local(ranks.runs.size(), 0);
  for (int64_t at = 0; at < ranks.elements;) {
    const int64_t length = std::min<int64_t>(1 + random() % 7, ranks.elements - at);
    const size_t rank = random() % ranks.runs.size();
    ranks.runs[rank].push_back({at, local[rank], length});
    local[rank] += length;
    at += length;
  }
  return ranks;
}

// Half of the cases are left whole, the others lose, move or repeat a run.
void disturb(Ranks& ranks, std::mt19937& random) {
  std::vector<Run>& all = ranks.runs[random() % ranks.runs.size()];
  if (all.empty()) return;
  const size_t which = random() % all.size();
  switch (random() % 6) {
    case 0:
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(which));
      break;
    case 1:
      if (all[which].global > 0) --all[which].global;
      break;
    case 2:
      ranks.runs.push_back({all[which]});
      break;
    default:
      break;
  }
}

RC_GTEST_PROP(Reach, CoversWhereEveryByteIsHeldOnce, ()) {
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  Ranks ranks = random_ranks(random);
  disturb(ranks, random);
  RC_TAG(ranks.once() ? "once" : "not");
  const ByteRange bytes = ranks.bytes();
  RC_ASSERT(covers_once(ranks.reach(), {&bytes, 1}) == ranks.once());
}

TEST(Reach, AHoleIsNotMadeUpForByAnOverlap) {
  const std::vector<ByteRange> all{{0, 48}}, padded{{0, 16}, {20, 48}};
  const Ranks ranks{0, 4, 12, {{{0, 0, 4}}, {{3, 0, 4}}, {{8, 0, 4}}}};
  EXPECT_FALSE(covers_once(ranks.reach(), all));
  const Ranks mended{0, 4, 12, {{{0, 0, 4}}, {{4, 0, 4}}, {{8, 0, 4}}}};
  EXPECT_TRUE(covers_once(mended.reach(), all));
  EXPECT_FALSE(covers_once(mended.reach(), padded));
  const Ranks around{0, 4, 12, {{{0, 0, 4}}, {{5, 0, 7}}}};
  EXPECT_TRUE(covers_once(around.reach(), padded));
  EXPECT_FALSE(covers_once(Reach(), {}));
}

}  // namespace
}  // namespace scorpio::transfer
