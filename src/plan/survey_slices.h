// The exchange of runs in a survey: the global indices are divided into equal buckets, of which each rank
// processes one (the largest power of two of ranks do so), in slices, one in each round. The slices of one
// round follow each other as the places of this round. Local and pure.
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

  int buckets() const { return buckets_; }
  int64_t rounds() const { return rounds_; }
  decomp::Interval slice_of(int64_t bucket, int64_t round) const {
    const int64_t first = bucket * bucket_, begin = first + round * slice_;
    return {begin, std::min({begin + slice_, first + bucket_, total_})};
  }
  int64_t bucket_at(int64_t element) const { return element / bucket_; }
  // The number of the slice with this element, if those of bucket 0 come first, then those of bucket 1, ...
  int64_t number_at(int64_t element) const {
    return bucket_at(element) * rounds_ + element % bucket_ / slice_;
  }

  int64_t places() const { return buckets_ * slice_; }
  // The places of the slice of a bucket.
  decomp::Interval places_of(int64_t bucket) const { return {bucket * slice_, (bucket + 1) * slice_}; }
  // The place of an element in a round, or of the next one in a slice of the round. (An interval of elements
  // has one interval of places, whose length is at most its own, however many buckets it crosses.)
  int64_t place(int64_t element, int64_t round) const {
    const int64_t bucket = bucket_at(element);
    return bucket * slice_ + std::clamp<int64_t>(element - bucket * bucket_ - round * slice_, 0, slice_);
  }
  // Calls visit(Interval) for the elements at these places of a round, ascending.
  template <typename Visit>
  void for_each_interval(const decomp::Interval& places, int64_t round, Visit&& visit) const {
    for (int64_t bucket = places.begin / slice_; bucket * slice_ < places.end; ++bucket) {
      const decomp::Interval slice = slice_of(bucket, round);
      const int64_t at = slice.begin - bucket * slice_;
      const decomp::Interval part{std::max(slice.begin, at + places.begin),
                                  std::min(slice.end, at + places.end)};
      if (part.begin < part.end) visit(part);
    }
  }

 private:
  int buckets_;
  int64_t total_, bucket_, rounds_, slice_;
};

// The elements that ranks hold in some consecutive buckets, in a bounded number of intervals.
struct Coverage {
  std::vector<decomp::Interval> intervals;
  bool exact = true;  // otherwise gaps were closed
};

// The elements of a bucket that ranks hold.
class BucketCoverage {
 public:
  // That of the next slice; slices ascend.
  void add(const std::vector<decomp::Interval>& slice);
  // After the last slice.
  Coverage take();

 private:
  Coverage coverage_;
};

// The coverage of the buckets of `lower` and of those of `upper`, which follow.
Coverage joined(Coverage lower, const Coverage& upper);
}  // namespace scorpio::plan
