#include "plan/survey.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

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

Result<Totals> totals_of(const Group& comm, const RunList& mine, bool doubled) {
  std::array<uint64_t, 3> values{static_cast<uint64_t>(mine.run_count()), doubled ? 1u : 0u,
                                 static_cast<uint64_t>(mine.elements())};
  SCORPIO_TRY(comm.all_max(values, 1));
  return Totals{static_cast<int64_t>(values[2]), static_cast<int64_t>(values[0]), values[1] != 0};
}

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
    std::vector<int64_t> words;
    for (const Interval& i : coverage_.intervals()) words.insert(words.end(), {i.begin, i.end});
    SCORPIO_ASSIGN(const auto all, comm_.all_gather_parts(words));
    std::vector<Interval> coverage;
    for (size_t i = 0; i + 1 < all.size(); i += 2) coverage.push_back({all[i], all[i + 1]});
    survey.coverage = joined(std::move(coverage), comm_.size());
    uint64_t flags[2] = {coverage_.exact() ? 0u : 1u, overlaps_ ? 1u : 0u};
    SCORPIO_TRY(comm_.all_max(flags));
    survey.exact = flags[0] == 0;
    survey.overlaps = flags[1] != 0;
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
  const uint64_t hash = mine.ok() ? hash_of(part.dims) : 0;
  SCORPIO_TRY(comm::agree_equal(comm, mine, hash, "extents of the global array", {},
                                [&] { return fmt::format("({})", fmt::join(part.dims, ", ")); }));
  Survey result;
  SCORPIO_ASSIGN(result.total, decomp::product(part.dims));
  const bool doubled = decomp::has_duplicates(part.runs);
  result.own_runs = doubled ? decomp::last_wins(part.runs) : part.runs;
  result.write_runs = result.own_runs;
  SCORPIO_ASSIGN(const Totals totals, totals_of(comm, result.own_runs, doubled));
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
    const auto node = static_cast<size_t>(nodes.node_of_rank[static_cast<size_t>(*holder)]);
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
