// The partners of a rank in an exchange among all ranks in as many steps as the number of ranks has binary
// digits. In step 0 the ranks beyond the largest power of two swap lists with one of the others, which act
// for them; in steps 1, 2, ... two ranks swap lists whose numbers differ in the highest digit, in the next
// one and so on. After these steps (forwards) each rank may have heard of all ranks; lists for certain ranks
// reach them in steps ..., 2, 1, 0 (backwards). Local.
#pragma once

#include <bit>
#include <cstdint>

namespace scorpio::plan {

class Butterfly {
 public:
  Butterfly(int rank, int ranks) : rank_(rank), ranks_(ranks), buckets_(buckets_of(ranks)) {}

  // The number of ranks that take part in all steps, which each have the bucket of their own number. What
  // belongs to the rank that has it already, as in maps whose parts are in the order of the ranks, stays.
  static int buckets_of(int ranks) { return static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks))); }

  int rank() const { return rank_; }
  int buckets() const { return buckets_; }
  int last_step() const { return std::countr_zero(static_cast<unsigned>(buckets_)); }
  bool takes_part() const { return rank_ < buckets_; }
  // Its own number if the rank swaps nothing in this step.
  int partner(int step) const {
    if (step > 0) return takes_part() ? rank_ ^ digit(step) : rank_;
    if (!takes_part()) return rank_ - buckets_;
    return rank_ + buckets_ < ranks_ ? rank_ + buckets_ : rank_;
  }
  // Whether the buckets of this rank after the step are the upper half of those before.
  bool upper(int step) const { return (rank_ & digit(step)) != 0; }
  // On the way backwards: whether what is meant for rank `to` goes to the partner.
  bool passes_on(int step, int to) const {
    if (step == 0) return to != rank_;
    return ((to % buckets_) & digit(step)) != (rank_ & digit(step));
  }

 private:
  int digit(int step) const { return 1 << (last_step() - step); }

  int rank_, ranks_, buckets_;
};

}  // namespace scorpio::plan
