// One round of the exchange of runs in a survey, as one rank sees it: which elements several ranks hold, and
// which of these ranks writes them. The ranks halve what they know of the array in each step (butterfly.h),
// and of an element that two of them have, the lower rank is removed at once: what is exchanged does not grow
// with the number of ranks that hold the same elements. Local; the lists are passed on by the caller.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plan/butterfly.h"
#include "plan/survey_slices.h"
#include "plan/survey_sort.h"

namespace scorpio::plan {

class RunContest {
 public:
  // `own`: the runs of this rank as places of the round (Slices::place()), ascending, disjoint.
  RunContest(const Butterfly& butterfly, const Slices& slices, std::vector<HeldRun> own);

  // In steps 0, 1, ..., last_step(): what the partner gets, and what it has sent.
  std::vector<int64_t> give(int step);
  void take(std::span<const int64_t> words);
  // Afterwards: the elements of this rank's bucket that ranks hold, as places, and whether this rank has
  // found some that several ranks hold.
  std::vector<decomp::Interval> held() const;
  bool found_losers() const { return !losers_.empty(); }

  // In steps last_step(), ..., 1, 0: the ranks learn which of their elements other ranks write.
  std::vector<int64_t> give_back(int step);
  void take_back(std::span<const int64_t> words);
  // Afterwards: the places of this rank that higher ranks write, ascending.
  std::vector<decomp::Interval> lost() const;

  // The memory of its lists.
  size_t bytes() const { return (runs_.capacity() + losers_.capacity()) * sizeof(HeldRun); }

 private:
  Butterfly butterfly_;
  int64_t begin_ = 0, end_;    // the places that are left to this rank
  std::vector<HeldRun> runs_;  // in these places: ascending, disjoint
  std::vector<HeldRun> losers_;
};

}  // namespace scorpio::plan
