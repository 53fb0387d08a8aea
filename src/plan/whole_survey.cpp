#include "plan/whole_survey.h"

#include <algorithm>
#include <utility>

#include "decomp/run_algebra.h"
#include "plan/survey_slices.h"
#include "plan/survey_sort.h"

namespace scorpio::plan {

using decomp::Interval;
using decomp::LocalPart;
using decomp::RunList;

namespace {

// The runs of all ranks: [slices, by their number]
std::vector<std::vector<HeldRun>> scatter(const Slices& slices, const std::vector<RunList>& runs) {
  std::vector<std::vector<HeldRun>> held(static_cast<size_t>(slices.ranks() * slices.rounds()));
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

void survey_buckets(WholeSurvey& whole) {
  const int ranks = static_cast<int>(whole.outlines.size());
  const Slices slices(ranks, whole.common.total, most_runs(whole.outlines));
  std::vector<std::vector<HeldRun>> held = scatter(slices, whole.write_runs);
  std::vector<std::vector<Interval>> lost(whole.outlines.size());
  std::vector<Interval> buckets;
  auto next = held.begin();
  for (int bucket = 0; bucket < ranks; ++bucket) {
    BucketCoverage coverage(ranks);
    for (int64_t round = 0; round < slices.rounds(); ++round, ++next) {
      const BucketSurvey slice = survey_bucket(std::move(*next));
      coverage.add(slice.coverage);
      append_intervals(whole.held, slice.coverage);
      for (const auto& [rank, range] : slice.losers)
        append_intervals(lost[static_cast<size_t>(rank)], {range});
    }
    coverage.coarsen();
    whole.common.exact = whole.common.exact && coverage.exact();
    buckets.insert(buckets.end(), coverage.intervals().begin(), coverage.intervals().end());
  }
  whole.common.coverage = joined(std::move(buckets), ranks);
  for (size_t rank = 0; rank < lost.size(); ++rank) {
    if (lost[rank].empty()) continue;
    for (const Interval& range : lost[rank]) whole.shared += range.end - range.begin;
    whole.write_runs[rank] = decomp::without(whole.write_runs[rank], lost[rank]);
    whole.common.overlaps = true;
  }
}

}  // namespace

Result<WholeSurvey> whole_survey(std::span<const LocalPart> parts, const comm::NodeMap& nodes) {
  WholeSurvey whole;
  SCORPIO_ASSIGN(whole.common.total, decomp::product(parts.front().dims));
  std::vector<int64_t> words;
  for (const LocalPart& part : parts) {
    const bool twice = decomp::has_duplicates(part.runs);
    whole.write_runs.push_back(twice ? decomp::last_wins(part.runs) : part.runs);
    const std::vector<int64_t> mine = words_of(part, whole.write_runs.back(), twice);
    words.insert(words.end(), mine.begin(), mine.end());
  }
  whole.outlines = outlines_of(words, parts.front().dims.size());
  whole.common.nodes = node_sets_of(nodes, whole.write_runs);
  if (outlines_tell(whole.outlines, whole.common)) {
    whole.held = whole.common.coverage;
  } else {
    survey_buckets(whole);
  }
  whole.common.overlaps = whole.common.overlaps || any_doubled(whole.outlines);
  return whole;
}

}  // namespace scorpio::plan
