// The exchange of runs of all ranks in one process, step by step, against the holders of each element.
#include "plan/run_contest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace scorpio::plan {
namespace {

using decomp::Interval;
using Sets = std::vector<std::set<int64_t>>;  // [ranks] elements

constexpr int64_t k_runs_of_round = int64_t{1} << 16;

// The runs of a rank in one round, as places.
std::vector<HeldRun> places_of(const std::set<int64_t>& elements, const Slices& slices, int64_t round,
                               int rank) {
  std::vector<HeldRun> runs;
  for (const int64_t e : elements) {
    const Interval slice = slices.slice_of(slices.bucket_at(e), round);
    if (e < slice.begin || e >= slice.end) continue;
    const int64_t begin = slices.place(e, round), end = slices.place(e + 1, round);
    if (!runs.empty() && runs.back().end == begin) {
      runs.back().end = end;
    } else {
      runs.push_back({begin, end, rank});
    }
  }
  return runs;
}

struct Contested {
  Sets lost;               // [ranks]
  std::set<int64_t> held;  // by any rank
  bool ascending = true;
  bool found = false;
};

void add(const Slices& slices, int64_t round, const std::vector<Interval>& places,
         std::set<int64_t>& elements, bool& ascending) {
  int64_t before = 0;
  for (const Interval& i : places) {
    ascending = ascending && before <= i.begin && i.begin < i.end;
    before = i.end;
    slices.for_each_interval(i, round, [&](const Interval& part) {
      for (int64_t e = part.begin; e < part.end; ++e) elements.insert(e);
    });
  }
}

void run_round(const Sets& sets, const Slices& slices, int64_t round, Contested& outcome) {
  const int ranks = static_cast<int>(sets.size());
  std::vector<RunContest> all;
  for (int rank = 0; rank < ranks; ++rank)
    all.emplace_back(Butterfly(rank, ranks), slices,
                     places_of(sets[static_cast<size_t>(rank)], slices, round, rank));
  const int last = Butterfly(0, ranks).last_step();
  const auto partner = [&](size_t rank, int step) {
    return static_cast<size_t>(Butterfly(static_cast<int>(rank), ranks).partner(step));
  };
  std::vector<std::vector<int64_t>> words(all.size());
  for (int step = 0; step <= last; ++step) {
    for (size_t r = 0; r < all.size(); ++r) words[r] = all[r].give(step);
    for (size_t r = 0; r < all.size(); ++r) {
      ASSERT_EQ(r, partner(partner(r, step), step));
      if (partner(r, step) != r) all[r].take(words[partner(r, step)]);
    }
  }
  for (size_t r = 0; r < all.size(); ++r) {
    const auto bucket = static_cast<int64_t>(r);
    for (const Interval& i : all[r].held()) {
      EXPECT_LE(slices.places_of(bucket).begin, i.begin);
      EXPECT_GE(slices.places_of(bucket).end, i.end);
    }
    add(slices, round, all[r].held(), outcome.held, outcome.ascending);
    outcome.found = outcome.found || all[r].found_losers();
  }
  for (int step = last; step >= 0; --step) {
    for (size_t r = 0; r < all.size(); ++r) words[r] = all[r].give_back(step);
    for (size_t r = 0; r < all.size(); ++r) {
      if (partner(r, step) != r) all[r].take_back(words[partner(r, step)]);
    }
  }
  for (size_t r = 0; r < all.size(); ++r)
    add(slices, round, all[r].lost(), outcome.lost[r], outcome.ascending);
}

Contested outcome_of(const Sets& sets, int64_t total, int64_t rounds) {
  const Slices slices(static_cast<int>(sets.size()), total, rounds * k_runs_of_round);
  EXPECT_EQ(rounds, slices.rounds());
  Contested outcome;
  outcome.lost.resize(sets.size());
  for (int64_t round = 0; round < rounds; ++round) run_round(sets, slices, round, outcome);
  return outcome;
}

Contested expected_of(const Sets& sets) {
  Contested expected;
  expected.lost.resize(sets.size());
  for (size_t r = 0; r < sets.size(); ++r) {
    for (const int64_t e : sets[r]) {
      expected.held.insert(e);
      for (size_t higher = r + 1; higher < sets.size(); ++higher) {
        if (sets[higher].contains(e)) expected.lost[r].insert(e);
      }
    }
    expected.found = expected.found || !expected.lost[r].empty();
  }
  return expected;
}

RC_GTEST_PROP(RunContest, FindsTheHighestHolderOfEachElement, ()) {
  const int ranks = *rc::gen::inRange(1, 20);
  const int64_t total = *rc::gen::inRange<int64_t>(1, 120), rounds = *rc::gen::inRange<int64_t>(1, 7);
  Sets sets(static_cast<size_t>(ranks));
  for (std::set<int64_t>& set : sets) {
    const int runs = *rc::gen::inRange(0, 6);
    for (int i = 0; i < runs; ++i) {
      const int64_t begin = *rc::gen::inRange<int64_t>(0, total);
      const int64_t end = std::min(total, begin + *rc::gen::element<int64_t>(1, 2, 9, 200));
      for (int64_t e = begin; e < end; ++e) set.insert(e);
    }
  }
  const Contested seen = outcome_of(sets, total, rounds), expected = expected_of(sets);
  RC_ASSERT(seen.held == expected.held);
  RC_ASSERT(seen.lost == expected.lost);
  RC_ASSERT(seen.ascending);
  RC_ASSERT(seen.found == expected.found);
}

// The elements of a run that crosses all buckets are one run in each round.
TEST(RunContest, ARunThroughAllBucketsIsOneRunInEachRound) {
  const Slices slices(64, 64 * 1000 - 3, 5 * k_runs_of_round);
  for (int64_t round = 0; round < 5; ++round) {
    int64_t pieces = 0, at = -1;
    for (int64_t bucket = 0; bucket < 64; ++bucket) {
      const Interval slice = slices.slice_of(bucket, round);
      pieces += slices.place(slice.begin, round) == at ? 0 : 1;
      at = slices.place(slice.end, round);
    }
    EXPECT_EQ(1, pieces) << round;
  }
}

// Beyond a power of two, and where each list is empty.
TEST(RunContest, OfRanksWithoutElementsFindsNone) {
  for (int ranks = 1; ranks <= 17; ++ranks) {
    const Contested seen = outcome_of(Sets(static_cast<size_t>(ranks)), 10, 2);
    EXPECT_TRUE(seen.held.empty());
    EXPECT_FALSE(seen.found);
  }
}

}  // namespace
}  // namespace scorpio::plan
