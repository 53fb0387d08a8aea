// The survey of one bucket against an element-wise reference.
#include "plan/survey_sort.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace scorpio::plan {
namespace {

using decomp::Interval;
using Held = std::map<int64_t, std::set<int>>;  // element -> ranks

std::vector<HeldRun> any_held_runs() {
  const int64_t origin = *rc::gen::element<int64_t>(0, (int64_t{1} << 31) - 20, (int64_t{1} << 40) + 3);
  const int64_t width = *rc::gen::element<int64_t>(10, 60, 400);
  const int count = *rc::gen::inRange(0, 40);
  std::vector<HeldRun> runs;
  for (int i = 0; i < count; ++i) {
    const int64_t begin = origin + *rc::gen::inRange<int64_t>(0, width);
    runs.push_back({begin, begin + *rc::gen::inRange(0, 12), *rc::gen::inRange(0, 6)});
  }
  return runs;
}

Held held_by(const std::vector<HeldRun>& runs) {
  Held held;
  for (const HeldRun& run : runs) {
    for (int64_t e = run.begin; e < run.end; ++e) held[e].insert(run.rank);
  }
  return held;
}

std::vector<Interval> ranges(const std::set<int64_t>& elements) {
  std::vector<Interval> out;
  for (int64_t e : elements) {
    if (out.empty() || out.back().end != e) out.push_back({e, e});
    out.back().end = e + 1;
  }
  return out;
}

RC_GTEST_PROP(SurveySort, AgreesWithTheElements, ()) {
  const std::vector<HeldRun> runs = any_held_runs();
  const BucketSurvey survey = survey_bucket(runs);
  std::set<int64_t> all;
  std::map<int, std::set<int64_t>> lost;
  for (const auto& [element, ranks] : held_by(runs)) {
    all.insert(element);
    for (int rank : ranks) {
      if (rank != *ranks.rbegin()) lost[rank].insert(element);
    }
  }
  std::vector<std::pair<int, Interval>> losers;
  for (const auto& [rank, elements] : lost) {
    for (const Interval& interval : ranges(elements)) losers.push_back({rank, interval});
  }
  RC_ASSERT(survey.coverage == ranges(all));
  RC_ASSERT(survey.covered_elements == static_cast<int64_t>(all.size()));
  RC_ASSERT(survey.losers == losers);
}

TEST(SurveySort, EmptyBucket) {
  const BucketSurvey survey = survey_bucket({});
  EXPECT_TRUE(survey.coverage.empty());
  EXPECT_EQ(survey.covered_elements, 0);
}

TEST(SurveySort, AllRanksHoldAll) {
  std::vector<HeldRun> runs;
  for (int rank = 0; rank < 100; ++rank) runs.push_back({0, 1'000'000'000'000, rank});
  const BucketSurvey survey = survey_bucket(runs);
  EXPECT_EQ(survey.losers.size(), 99u);
  EXPECT_EQ(survey.covered_elements, 1'000'000'000'000);
}

// Low ranks hold everything, a high one every other element: the answer must not grow with ranks times runs.
TEST(SurveySort, LosersAreAtMostTheRuns) {
  std::vector<HeldRun> runs;
  for (int rank = 0; rank < 50; ++rank) runs.push_back({0, 20'000, rank});
  for (int64_t e = 0; e < 20'000; e += 2) runs.push_back({e, e + 1, 50});
  const size_t count = runs.size();
  const BucketSurvey survey = survey_bucket(std::move(runs));
  EXPECT_EQ(survey.losers.size(), 10'000u + 49u);
  EXPECT_LE(survey.losers.size(), count);
}

}  // namespace
}  // namespace scorpio::plan
