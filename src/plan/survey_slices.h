// The exchange of runs in a survey: each rank processes an equal share (bucket) of the global indices, in
// slices, one in each round. Local and pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "decomp/runs.h"

namespace scorpio::plan {

class Slices {
 public:
  // `most_runs`: those of the rank with the most.
  Slices(int ranks, int64_t total, int64_t most_runs);

  int ranks() const { return ranks_; }
  int64_t rounds() const { return rounds_; }
  decomp::Interval slice_of(int64_t rank, int64_t round) const {
    const int64_t bucket = rank * bucket_, begin = bucket + round * slice_;
    return {begin, std::min({begin + slice_, bucket + bucket_, total_})};
  }
  // The number of the slice with this element, if those of bucket 0 come first, then those of bucket 1, ...
  int64_t number_at(int64_t element) const {
    return element / bucket_ * rounds_ + element % bucket_ / slice_;
  }

 private:
  int ranks_;
  int64_t total_, bucket_, rounds_, slice_;
};

// The elements of a bucket that ranks hold, in a bounded number of intervals.
class BucketCoverage {
 public:
  explicit BucketCoverage(int ranks);

  // That of the next slice; slices ascend.
  void add(const std::vector<decomp::Interval>& slice);
  // Reduces the intervals to the share of one bucket. After the last slice.
  void coarsen();
  const std::vector<decomp::Interval>& intervals() const { return intervals_; }
  bool exact() const { return exact_; }

 private:
  size_t most_;
  std::vector<decomp::Interval> intervals_;
  bool exact_ = true;
};

// The coverage of the array from the intervals of all buckets.
std::vector<decomp::Interval> joined(std::vector<decomp::Interval> buckets, int ranks);
// Adds the intervals of `next`, which follow those of `intervals`.
void append_intervals(std::vector<decomp::Interval>& intervals, const std::vector<decomp::Interval>& next);

}  // namespace scorpio::plan
