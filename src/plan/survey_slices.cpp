#include "plan/survey_slices.h"

#include "decomp/intervals.h"
#include "plan/butterfly.h"
#include "plan/survey.h"

namespace scorpio::plan {

using decomp::Interval;

namespace {

// Of a rank in one round, where its runs are spread evenly: what is in memory for them is a part of its map.
constexpr int64_t k_round_runs = int64_t{1} << 16;
// Of a bucket, while it is surveyed.
constexpr size_t k_intervals_at_once = 2 * k_most_intervals;

void coarsen(Coverage& coverage) {
  if (coverage.intervals.size() <= k_most_intervals) return;
  coverage.exact = false;
  coverage.intervals = decomp::merge(std::move(coverage.intervals), k_most_intervals);
}

}  // namespace

Slices::Slices(int ranks, int64_t total, int64_t most_runs)
    : buckets_(Butterfly::buckets_of(ranks)),
      total_(total),
      bucket_(std::max<int64_t>(1, total / buckets_ + (total % buckets_ > 0 ? 1 : 0))),
      rounds_(std::max<int64_t>(1, (most_runs + k_round_runs - 1) / k_round_runs)),
      slice_((bucket_ + rounds_ - 1) / rounds_) {}

void BucketCoverage::add(const std::vector<Interval>& slice) {
  append(coverage_.intervals, slice);
  if (coverage_.intervals.size() > k_intervals_at_once) coarsen(coverage_);
}

Coverage BucketCoverage::take() {
  coarsen(coverage_);
  return std::move(coverage_);
}

Coverage joined(Coverage lower, const Coverage& upper) {
  append(lower.intervals, upper.intervals);
  lower.exact = lower.exact && upper.exact;
  coarsen(lower);
  return lower;
}

}  // namespace scorpio::plan
