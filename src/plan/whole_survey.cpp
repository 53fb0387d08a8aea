#include "plan/whole_survey.h"

#include <algorithm>
#include <utility>

#include "decomp/intervals.h"
#include "decomp/run_algebra.h"
#include "plan/survey_slices.h"
#include "plan/survey_sort.h"
#include "plan/survey_ways.h"

namespace scorpio::plan {

using decomp::Interval;
using decomp::LocalPart;
using decomp::RunList;

namespace {

// The runs of all ranks: [slices, by their number]
std::vector<std::vector<HeldRun>> scatter(const Slices& slices, const std::vector<RunList>& runs) {
  std::vector<std::vector<HeldRun>> held(static_cast<size_t>(slices.buckets() * slices.rounds()));
  for (size_t rank = 0; rank < runs.size(); ++rank) {
    const Interval all = runs[rank].hull();
    runs[rank].for_each_span(all.begin, all.end, [&](const Interval& span) {
      for (int64_t at = span.begin; at < span.end;) {
        const int64_t number = slices.number_at(at);
        const Interval slice = slices.slice_of(number / slices.rounds(), number % slices.rounds());
        const int64_t end = std::min(span.end, slice.end);
        held[static_cast<size_t>(number)].push_back({at, end, static_cast<int32_t>(rank)});
        at = end;
      }
    });
  }
  return held;
}

// In the order in which the ranks of a job do so. Their number is a power of two.
Coverage joined_in_pairs(std::vector<Coverage> buckets) {
  while (buckets.size() > 1) {
    std::vector<Coverage> pairs;
    for (size_t i = 0; i < buckets.size(); i += 2)
      pairs.push_back(joined(std::move(buckets[i]), buckets[i + 1]));
    buckets = std::move(pairs);
  }
  return std::move(buckets.front());
}

class PartsOfAll final : public AllRanks {
 public:
  // The runs of `whole` are set.
  PartsOfAll(WholeSurvey& whole, const comm::NodeMap& nodes) : whole_(whole), nodes_(nodes) {}

  Result<NodeSets> node_sets() override { return node_sets_of(nodes_, whole_.write_runs); }

  uint64_t own_edges() override {
    uint64_t sum = 0;
    for (const RunList& runs : whole_.write_runs) sum += edges_of(runs);
    return sum;
  }
  Result<uint64_t> sum_of_edges(const Status& so_far, uint64_t own) override {
    SCORPIO_TRY(so_far);
    return own;
  }

  Status exchange_runs(const Status& so_far, int64_t most_runs, Survey& survey) override {
    SCORPIO_TRY(so_far);
    const int ranks = static_cast<int>(whole_.write_runs.size());
    const Slices slices(ranks, survey.total, most_runs);
    std::vector<std::vector<HeldRun>> held = scatter(slices, whole_.write_runs);
    std::vector<std::vector<Interval>> lost(whole_.write_runs.size());
    std::vector<Coverage> buckets;
    auto next = held.begin();
    for (int bucket = 0; bucket < slices.buckets(); ++bucket) {
      BucketCoverage coverage;
      for (int64_t round = 0; round < slices.rounds(); ++round, ++next) {
        const BucketSurvey slice = survey_bucket(std::move(*next));
        coverage.add(slice.coverage);
        append(whole_.held, slice.coverage);
        for (const auto& [rank, range] : slice.losers) append(lost[static_cast<size_t>(rank)], range);
      }
      buckets.push_back(coverage.take());
    }
    Coverage all = joined_in_pairs(std::move(buckets));
    survey.coverage = std::move(all.intervals);
    survey.exact = all.exact;
    survey.overlaps = drop_lost(lost);
    return {};
  }

  Result<HeldCells> cells(int64_t total) override {
    auto cells = std::make_shared<Cells>(total);
    for (const RunList& runs : whole_.write_runs) cells->add(runs);
    return HeldCells{std::move(cells)};
  }

 private:
  // Whether there are some.
  bool drop_lost(const std::vector<std::vector<Interval>>& lost) {
    for (size_t rank = 0; rank < lost.size(); ++rank) {
      if (lost[rank].empty()) continue;
      for (const Interval& range : lost[rank]) whole_.shared += range.end - range.begin;
      whole_.write_runs[rank] = decomp::without(whole_.write_runs[rank], lost[rank]);
    }
    return whole_.shared > 0;
  }

  WholeSurvey& whole_;
  const comm::NodeMap& nodes_;
};

}  // namespace

Result<WholeSurvey> whole_survey(std::span<const LocalPart> parts, const comm::NodeMap& nodes) {
  WholeSurvey whole;
  SCORPIO_ASSIGN(whole.common.total, decomp::product(parts.front().dims));
  Totals totals;
  for (const LocalPart& part : parts) {
    const bool twice = decomp::has_duplicates(part.runs);
    const RunList& runs = whole.write_runs.emplace_back(twice ? decomp::last_wins(part.runs) : part.runs);
    totals.elements += runs.elements();
    totals.most_runs = std::max(totals.most_runs, runs.run_count());
    totals.doubled = totals.doubled || twice;
  }
  PartsOfAll ranks(whole, nodes);
  SCORPIO_TRY(complete(totals, static_cast<size_t>(nodes.nodes()), ranks, whole.common));
  if (whole.common.exact) {
    whole.held = whole.common.coverage;
  } else if (whole.held.empty()) {  // the nodes told
    whole.held =
        decomp::merge(decomp::intervals_of(whole.common.nodes.all(k_most_intervals).ranges), SIZE_MAX);
  }
  return whole;
}

}  // namespace scorpio::plan
