#include "plan/run_exchange.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/attempt.h"
#include "comm/agree.h"
#include "decomp/run_algebra.h"
#include "decomp/run_packer.h"
#include "plan/butterfly.h"
#include "plan/run_contest.h"
#include "plan/survey_slices.h"

namespace scorpio::plan {

using decomp::Interval;
using decomp::Run;
using decomp::RunList;

namespace {

// A rank that has failed swaps empty lists until the ranks agree: the others wait for these.
class Exchange {
 public:
  Exchange(const comm::Group& comm, const Status& so_far, int64_t total, int64_t most_runs)
      : comm_(comm),
        butterfly_(comm.rank(), comm.size()),
        slices_(comm.size(), total, most_runs),
        so_far_(so_far) {}

  Status run(Survey& survey) {
    for (int64_t round = 0; round < slices_.rounds(); ++round) SCORPIO_TRY(contest(survey.write_runs, round));
    Coverage coverage;
    attempt(so_far_, [&] {
      coverage = coverage_.take();
      drop_lost(survey.write_runs);
    });
    gather(coverage);
    SCORPIO_TRY(comm::agree(comm_, so_far_));
    survey.coverage = std::move(coverage.intervals);
    survey.exact = coverage.exact;
    survey.overlaps = overlaps_;
    return {};
  }

 private:
  // `give` returns what the partner gets, `take` gets what it has sent.
  template <typename Give, typename Take>
  void swap(int step, Give&& give, Take&& take) {
    std::vector<int64_t> words;
    attempt(so_far_, [&] { words = give(); });
    Result<std::vector<int64_t>> received = comm_.swap(words, butterfly_.partner(step));
    so_far_ = first_failure(so_far_, received.status());
    attempt(so_far_, [&] { take(std::move(received).value()); });
  }

  Status contest(const RunList& runs, int64_t round) {
    std::vector<HeldRun> own;
    attempt(so_far_, [&] { own = places_of(runs, round); });
    RunContest contest(butterfly_, slices_, std::move(own));
    for (int step = 0; step <= butterfly_.last_step(); ++step)
      swap(
          step, [&] { return contest.give(step); }, [&](const auto& words) { contest.take(words); });
    attempt(so_far_, [&] { add_coverage(contest.held(), round); });
    std::array<uint64_t, 1> any{contest.found_losers() ? 1u : 0u};
    SCORPIO_TRY(comm::agree(comm_, so_far_, any));
    decomp::RunPacker lost;
    if (any[0] != 0) {
      overlaps_ = true;
      for (int step = butterfly_.last_step(); step >= 0; --step)
        swap(
            step, [&] { return contest.give_back(step); },
            [&](const auto& words) { contest.take_back(words); });
      attempt(so_far_, [&] {
        for (const Interval& i : contest.lost()) lost.add(Run{i.begin, 0, i.end - i.begin});
      });
    }
    attempt(so_far_, [&] { lost_.emplace_back(lost.take()); });
    return {};
  }

  std::vector<HeldRun> places_of(const RunList& runs, int64_t round) const {
    std::vector<HeldRun> held;
    const Interval all = runs.hull();
    if (all.begin == all.end) return held;
    for (int64_t bucket = slices_.bucket_at(all.begin); bucket <= slices_.bucket_at(all.end - 1); ++bucket) {
      const Interval slice = slices_.slice_of(bucket, round);
      runs.for_each_span(slice.begin, slice.end, [&](const Interval& span) {
        const int64_t begin = slices_.place(span.begin, round), end = slices_.place(span.end, round);
        if (!held.empty() && held.back().end == begin) {
          held.back().end = end;
        } else {
          held.push_back({begin, end, comm_.rank()});
        }
      });
    }
    return held;
  }

  void add_coverage(const std::vector<Interval>& held, int64_t round) {
    std::vector<Interval> slice;
    for (const Interval& places : held)
      slices_.for_each_interval(places, round, [&](const Interval& i) { slice.push_back(i); });
    coverage_.add(slice);
  }

  // Slice by slice, in the order of the array.
  void drop_lost(RunList& runs) const {
    if (std::ranges::all_of(lost_, &RunList::empty)) return;
    decomp::RunPacker kept;
    const Interval all = runs.hull();
    for (int64_t bucket = slices_.bucket_at(all.begin); bucket <= slices_.bucket_at(all.end - 1); ++bucket) {
      for (int64_t round = 0; round < slices_.rounds(); ++round) {
        const Interval slice = slices_.slice_of(bucket, round);
        if (slice.begin >= slice.end || !runs.any(slice.begin, slice.end)) continue;
        const Interval places = slices_.places_of(bucket);
        std::vector<Interval> lost;
        lost_[static_cast<size_t>(round)].for_each_span(places.begin, places.end, [&](const Interval& i) {
          slices_.for_each_interval(i, round, [&](const Interval& elements) { lost.push_back(elements); });
        });
        decomp::RunPacker within;
        runs.for_each(slice.begin, slice.end, [&](const Run& run) { within.add(run); });
        decomp::without(RunList(within.take()), lost).for_each([&](const Run& run) { kept.add(run); });
      }
    }
    runs = RunList(kept.take());
  }

  // The coverage of all buckets, in the same order of joining on all ranks.
  void gather(Coverage& coverage) {
    for (int step = butterfly_.last_step(); step >= 0; --step) {
      swap(
          step, [&] { return words_of(coverage, step); },
          [&](const auto& words) { join(coverage, words, step); });
    }
  }

  std::vector<int64_t> words_of(const Coverage& coverage, int step) const {
    std::vector<int64_t> words;
    if (step == 0 && !butterfly_.takes_part()) return words;
    words.reserve(1 + 2 * coverage.intervals.size());
    words.push_back(coverage.exact ? 1 : 0);
    for (const Interval& i : coverage.intervals) words.insert(words.end(), {i.begin, i.end});
    return words;
  }

  void join(Coverage& coverage, const std::vector<int64_t>& words, int step) const {
    if (words.empty()) return;
    Coverage other{{}, words.front() != 0};
    other.intervals.reserve(words.size() / 2);
    for (size_t i = 1; i + 1 < words.size(); i += 2) other.intervals.push_back({words[i], words[i + 1]});
    if (step > 0 && !butterfly_.upper(step)) {
      coverage = joined(std::move(coverage), other);
    } else {
      coverage = joined(std::move(other), coverage);
    }
  }

  const comm::Group& comm_;
  Butterfly butterfly_;
  Slices slices_;
  Status so_far_;
  std::vector<RunList> lost_;  // [rounds] as places
  BucketCoverage coverage_;    // of this rank's bucket
  bool overlaps_ = false;
};

}  // namespace

Status exchange_runs(const comm::Group& comm, const Status& so_far, int64_t most_runs, Survey& survey) {
  return Exchange(comm, so_far, survey.total, most_runs).run(survey);
}

}  // namespace scorpio::plan
