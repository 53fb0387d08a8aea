// The elements that all ranks together hold in one bucket of global indices: the local part of the survey,
// without MPI. Local; thread-safe (pure function).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "decomp/runs.h"

namespace scorpio::plan {

// Global elements [begin, end) are held by `rank`.
struct HeldRun {
  int64_t begin;
  int64_t end;
  int32_t rank;
};

struct BucketSurvey {
  std::vector<decomp::Interval> coverage;  // sorted, disjoint, not touching
  int64_t covered_elements = 0;
  // The elements that a rank must not write because a higher rank holds them too: ordered by rank, then by
  // begin; merged.
  std::vector<std::pair<int, decomp::Interval>> losers;
};

// `runs` in any order; a rank may name an element more than once. O(n log n) for n runs, and at most 2n
// losers.
BucketSurvey survey_bucket(std::vector<HeldRun> runs);

// Removes from `runs`, which ascend with their begin, what a higher rank holds too: they are disjoint
// afterwards. What is removed is added to `losers`. O(n) for n runs if no element is held twice.
void remove_overlaps(std::vector<HeldRun>& runs, std::vector<HeldRun>& losers);

}  // namespace scorpio::plan
