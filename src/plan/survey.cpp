#include "plan/survey.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "base/guarded.h"
#include "base/hash.h"
#include "comm/agree.h"
#include "decomp/run_algebra.h"
#include "decomp/run_packer.h"
#include "plan/survey_slices.h"
#include "plan/survey_sort.h"
#include "plan/survey_ways.h"

namespace scorpio::plan {

using comm::Group;
using decomp::Interval;
using decomp::LocalPart;
using decomp::Run;
using decomp::RunList;

namespace {

uint64_t hash_of(const std::vector<int64_t>& dims) { return fnv1a(std::as_bytes(std::span(dims))); }

// In one reduction: no rank has failed, the extents are the same, and the totals of the runs.
Result<Totals> agree_on_totals(const Group& comm, const Status& mine, const std::vector<int64_t>& dims,
                               const RunList& runs, bool doubled) {
  const uint64_t hash = mine.ok() ? hash_of(dims) : 0;
  std::array<uint64_t, 4> most{hash, ~hash, static_cast<uint64_t>(runs.run_count()), doubled ? 1u : 0u};
  std::array<uint64_t, 1> sums{static_cast<uint64_t>(runs.elements())};
  SCORPIO_TRY(comm::agree(comm, mine, most, sums));
  if (most[0] != ~most[1]) {  // fails, and names a rank
    SCORPIO_TRY(comm::agree_equal(comm, {}, hash, "extents of the global array", {},
                                  [&] { return fmt::format("({})", fmt::join(dims, ", ")); }));
  }
  return Totals{static_cast<int64_t>(sums[0]), static_cast<int64_t>(most[2]), most[3] != 0};
}

// What a rank found in its bucket, beside the intervals: a pair of words as they are, of which the first one
// is this.
constexpr int64_t k_flags = -1;
constexpr int64_t k_inexact = 1, k_overlaps = 2;

// In each round the next slice of every bucket.
class Exchange {
 public:
  Exchange(const Group& comm, int64_t total, int64_t most_runs)
      : comm_(comm), slices_(comm.size(), total, most_runs), coverage_(comm.size()) {}

  Status run(Survey& survey) {
    for (int64_t round = 0; round < slices_.rounds(); ++round) {
      SCORPIO_ASSIGN(const auto received, comm_.all_to_all(cut_into_buckets(survey.write_runs, round)));
      std::vector<HeldRun> held;
      for (size_t r = 0; r < received.size(); ++r) {
        for (size_t i = 0; i + 1 < received[r].size(); i += 2) {
          held.push_back({received[r][i], received[r][i + 1], static_cast<int32_t>(r)});
        }
      }
      const BucketSurvey slice = survey_bucket(std::move(held));
      SCORPIO_TRY(return_losers(slice));
      coverage_.add(slice.coverage);
    }
    drop_lost(survey.write_runs);
    return gather_coverage(survey);
  }

 private:
  std::vector<std::vector<int64_t>> cut_into_buckets(const RunList& runs, int64_t round) const {
    std::vector<std::vector<int64_t>> parts(static_cast<size_t>(comm_.size()));
    for (size_t rank = 0; rank < parts.size(); ++rank) {
      const Interval slice = slices_.slice_of(static_cast<int64_t>(rank), round);
      std::vector<int64_t>& part = parts[rank];
      runs.for_each_span(slice.begin, slice.end, [&](const Interval& span) {
        part.insert(part.end(), {span.begin, span.end});
      });
    }
    return parts;
  }

  Status return_losers(const BucketSurvey& slice) {
    std::vector<std::vector<int64_t>> back(static_cast<size_t>(comm_.size()));
    for (const auto& [rank, range] : slice.losers) {
      back[static_cast<size_t>(rank)].insert(back[static_cast<size_t>(rank)].end(), {range.begin, range.end});
    }
    overlaps_ = overlaps_ || !slice.losers.empty();
    SCORPIO_ASSIGN(const auto mine, comm_.all_to_all(back));
    decomp::RunPacker lost;  // buckets ascend with the rank
    for (const auto& part : mine) {
      for (size_t i = 0; i + 1 < part.size(); i += 2) lost.add(Run{part[i], 0, part[i + 1] - part[i]});
    }
    lost_.emplace_back(lost.take());
    return {};
  }

  // Slice by slice, in the order of the array.
  void drop_lost(RunList& runs) const {
    if (std::ranges::all_of(lost_, &RunList::empty)) return;
    decomp::RunPacker kept;
    for (int64_t rank = 0; rank < comm_.size(); ++rank) {
      for (int64_t round = 0; round < slices_.rounds(); ++round) {
        const Interval slice = slices_.slice_of(rank, round);
        std::vector<Interval> lost;
        lost_[static_cast<size_t>(round)].for_each_span(slice.begin, slice.end,
                                                        [&](const Interval& i) { lost.push_back(i); });
        decomp::RunPacker within;
        runs.for_each(slice.begin, slice.end, [&](const Run& run) { within.add(run); });
        decomp::without(RunList(within.take()), lost).for_each([&](const Run& run) { kept.add(run); });
      }
    }
    runs = RunList(kept.take());
  }

  Status gather_coverage(Survey& survey) {
    coverage_.coarsen();
    std::vector<int64_t> words{k_flags, (coverage_.exact() ? 0 : k_inexact) | (overlaps_ ? k_overlaps : 0)};
    for (const Interval& i : coverage_.intervals()) words.insert(words.end(), {i.begin, i.end});
    SCORPIO_ASSIGN(const auto all, comm_.all_gather_parts(words));
    std::vector<Interval> coverage;
    int64_t flags = 0;
    for (size_t i = 0; i + 1 < all.size(); i += 2) {
      if (all[i] == k_flags) {
        flags |= all[i + 1];
      } else {
        coverage.push_back({all[i], all[i + 1]});
      }
    }
    survey.exact = (flags & k_inexact) == 0;
    survey.overlaps = (flags & k_overlaps) != 0;
    survey.coverage = joined(std::move(coverage), comm_.size());
    return {};
  }

  const Group& comm_;
  Slices slices_;
  std::vector<RunList> lost_;  // [rounds] by this rank
  BucketCoverage coverage_;    // of this rank's bucket
  bool overlaps_ = false;
};

class RanksOfJob final : public AllRanks {
 public:
  RanksOfJob(const Group& comm, const comm::NodeMap& nodes, const RunList& own)
      : comm_(comm), nodes_(nodes), own_(own) {}

  Result<NodeSets> node_sets() override { return gather_node_sets(comm_, nodes_, own_); }
  Result<uint64_t> edges() override {
    uint64_t sum = edges_of(own_);
    SCORPIO_TRY(comm_.all_max(std::span(&sum, 1), 1));
    return sum;
  }
  Status exchange_runs(int64_t most_runs, Survey& survey) override {
    return Exchange(comm_, survey.total, most_runs).run(survey);
  }

 private:
  const Group& comm_;
  const comm::NodeMap& nodes_;
  const RunList& own_;
};

}  // namespace

Result<Survey> survey(const Group& comm, const comm::NodeMap& nodes, const Status& mine,
                      const LocalPart& part) {
  Survey result;
  const bool doubled = mine.ok() && decomp::has_duplicates(part.runs);
  const Status prepared = guarded([&] {
    if (mine.ok()) result.own_runs = doubled ? decomp::last_wins(part.runs) : part.runs;
    return mine;
  });
  SCORPIO_ASSIGN(const Totals totals, agree_on_totals(comm, prepared, part.dims, result.own_runs, doubled));
  SCORPIO_ASSIGN(result.total, decomp::product(part.dims));
  result.write_runs = result.own_runs;
  RanksOfJob ranks(comm, nodes, result.own_runs);
  SCORPIO_TRY(complete(totals, static_cast<size_t>(nodes.nodes()), ranks, result));
  return result;
}

Survey survey_of_known_part(const comm::NodeMap& nodes, int rank, std::optional<int> holder,
                            LocalPart& part) {
  Survey result;
  result.total = std::accumulate(part.dims.begin(), part.dims.end(), int64_t{1}, std::multiplies<>());
  result.coverage = decomp::coverage(part.runs, k_most_intervals);
  int64_t covered = 0;
  for (const Interval& interval : result.coverage) covered += interval.end - interval.begin;
  result.exact = covered == part.runs.elements();
  const auto count = static_cast<size_t>(nodes.nodes());
  const decomp::CoarseSet set = decomp::coarse_set(decomp::last_wins(part.runs), most_ranges_of_node(count));
  if (holder) {
    const auto node = static_cast<size_t>(nodes.node_of(*holder));
    result.nodes = NodeSets::alone(count, node, set);
    if (*holder != rank) part.runs = {};
  } else {
    result.nodes = NodeSets::alike(count, set);
  }
  result.own_runs = decomp::last_wins(part.runs);
  result.write_runs = part.runs;
  return result;
}

}  // namespace scorpio::plan
