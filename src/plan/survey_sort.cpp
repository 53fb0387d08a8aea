// Determines the elements that all ranks hold together, and the rank that writes elements of several ranks.
// Local; thread-safe.
#include "plan/survey_sort.h"

#include <algorithm>
#include <queue>
#include <tuple>

#include "decomp/intervals.h"

namespace scorpio::plan {
namespace {

using decomp::Interval;

bool overlap(const std::vector<HeldRun>& sorted) {
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].begin < sorted[i - 1].end) return true;
  }
  return false;
}

void sort_by_rank(std::vector<HeldRun>& runs) {
  std::sort(runs.begin(), runs.end(), [](const HeldRun& a, const HeldRun& b) {
    return std::tie(a.rank, a.begin) < std::tie(b.rank, b.begin);
  });
}

// Sweeps over runs sorted by begin: returns at most 2n disjoint pieces, each with the highest rank that holds
// it.
std::vector<HeldRun> find_winners(const std::vector<HeldRun>& sorted) {
  const auto lower = [](const HeldRun& a, const HeldRun& b) { return a.rank < b.rank; };
  // Runs that have begun. A run that has ended is removed when it comes to the top.
  std::priority_queue<HeldRun, std::vector<HeldRun>, decltype(lower)> open(lower);
  std::vector<HeldRun> won;
  int64_t at = 0;
  for (size_t next = 0; next < sorted.size() || !open.empty();) {
    if (open.empty()) at = sorted[next].begin;
    for (; next < sorted.size() && sorted[next].begin == at; ++next) open.push(sorted[next]);
    const HeldRun top = open.top();
    const int64_t end = next < sorted.size() ? std::min(top.end, sorted[next].begin) : top.end;
    if (!won.empty() && won.back().end == at && won.back().rank == top.rank) {
      won.back().end = end;
    } else {
      won.push_back({at, end, top.rank});
    }
    at = end;
    while (!open.empty() && open.top().end <= at) open.pop();
  }
  return won;
}

// The elements that each rank holds and another one writes. A rank writes only elements that it holds, so one
// pass over both lists is enough.
template <typename Lose>
void find_losers(std::vector<HeldRun>& runs, std::vector<HeldRun> won, Lose&& lose) {
  sort_by_rank(won);
  sort_by_rank(runs);
  auto next = won.cbegin();
  for (size_t i = 0; i < runs.size();) {
    const int32_t rank = runs[i].rank;
    std::vector<Interval> own;
    for (; i < runs.size() && runs[i].rank == rank; ++i) append(own, {runs[i].begin, runs[i].end});
    for (const Interval& held : own) {
      int64_t at = held.begin;
      for (; next != won.cend() && next->rank == rank && next->begin < held.end; ++next) {
        if (at < next->begin) lose(HeldRun{at, next->begin, rank});
        at = next->end;
      }
      if (at < held.end) lose(HeldRun{at, held.end, rank});
    }
  }
}

}  // namespace

BucketSurvey survey_bucket(std::vector<HeldRun> runs) {
  std::erase_if(runs, [](const HeldRun& run) { return run.begin >= run.end; });
  std::sort(runs.begin(), runs.end(), [](const HeldRun& a, const HeldRun& b) { return a.begin < b.begin; });
  BucketSurvey survey;
  for (const HeldRun& run : runs) append(survey.coverage, {run.begin, run.end});
  for (const Interval& interval : survey.coverage) survey.covered_elements += interval.end - interval.begin;
  if (!overlap(runs)) return survey;
  std::vector<HeldRun> won = find_winners(runs);
  find_losers(runs, std::move(won), [&survey](const HeldRun& lost) {
    survey.losers.push_back({lost.rank, {lost.begin, lost.end}});
  });
  return survey;
}

void remove_overlaps(std::vector<HeldRun>& runs, std::vector<HeldRun>& losers) {
  if (!overlap(runs)) return;
  std::vector<HeldRun> won = find_winners(runs);
  find_losers(runs, won, [&losers](const HeldRun& lost) { losers.push_back(lost); });
  runs = std::move(won);
}

}  // namespace scorpio::plan
