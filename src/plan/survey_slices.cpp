#include "plan/survey_slices.h"

#include "decomp/run_algebra.h"
#include "plan/survey.h"

namespace scorpio::plan {

using decomp::Interval;

namespace {

// Of a rank in one round, where its runs are spread evenly: what is in memory for them is a part of its map.
constexpr int64_t k_round_runs = int64_t{1} << 16;
// Of a bucket, while it is surveyed.
constexpr size_t k_intervals_at_once = 2 * k_most_intervals;

}  // namespace

Slices::Slices(int ranks, int64_t total, int64_t most_runs)
    : ranks_(ranks),
      total_(total),
      bucket_((total + ranks - 1) / ranks),
      rounds_(std::max<int64_t>(1, (most_runs + k_round_runs - 1) / k_round_runs)),
      slice_((bucket_ + rounds_ - 1) / rounds_) {}

BucketCoverage::BucketCoverage(int ranks)
    : most_(std::max<size_t>(8, k_most_intervals / static_cast<size_t>(ranks))) {}

void BucketCoverage::add(const std::vector<Interval>& slice) {
  append_intervals(intervals_, slice);
  if (intervals_.size() > k_intervals_at_once) coarsen();
}

void BucketCoverage::coarsen() {
  exact_ = exact_ && intervals_.size() <= most_;
  intervals_ = decomp::merge(std::move(intervals_), most_);
}

std::vector<Interval> joined(std::vector<Interval> buckets, int ranks) {
  return decomp::merge(std::move(buckets), k_most_intervals + 8 * static_cast<size_t>(ranks));
}

void append_intervals(std::vector<Interval>& intervals, const std::vector<Interval>& next) {
  for (const Interval& interval : next) {
    const bool continues = !intervals.empty() && intervals.back().end == interval.begin;
    if (continues) {
      intervals.back().end = interval.end;
    } else {
      intervals.push_back(interval);
    }
  }
}

}  // namespace scorpio::plan
