#include "plan/survey_ways.h"

#include "base/guarded.h"
#include "base/hash.h"
#include "decomp/intervals.h"

namespace scorpio::plan {

using decomp::Interval;

namespace {

// The most intervals that are made of strided ranges.
constexpr int64_t k_most_expanded = int64_t{1} << 20;

// Whether the elements of the nodes, which every rank knows, determine the result; `survey` is then complete.
bool nodes_tell(const Totals& totals, Survey& survey) {
  if (!survey.nodes.exact()) return false;
  const decomp::CoarseSet all = survey.nodes.all(k_most_intervals);
  if (!all.exact || all.elements() != totals.elements) return false;
  int64_t intervals = 0;
  for (const decomp::StridedRange& range : all.ranges) intervals += range.count;
  if (intervals > k_most_expanded) return false;
  survey.coverage = decomp::merge(decomp::intervals_of(all.ranges), k_most_intervals);
  int64_t covered = 0;
  for (const Interval& interval : survey.coverage) covered += interval.end - interval.begin;
  survey.exact = covered == totals.elements;
  if (!closed_long_gaps(survey)) return true;
  auto cells = std::make_shared<Cells>(survey.total);
  for (const decomp::StridedRange& range : all.ranges) cells->add(range);
  survey.cells.cells = std::move(cells);
  return true;
}

// On one node, which sends no messages: whether nodes_tell() can be expected to succeed where cover_once()
// cannot.
bool are_few(const Totals& totals, int64_t total) {
  return totals.elements != total && totals.most_runs <= static_cast<int64_t>(k_most_node_ranges);
}

uint64_t edges_between(int64_t begin, int64_t end) {
  return mixed(static_cast<uint64_t>(end)) - mixed(static_cast<uint64_t>(begin));
}

}  // namespace

uint64_t edges_of(const decomp::RunList& runs) {
  uint64_t edges = 0;
  const Interval all = runs.hull();
  runs.for_each_span(all.begin, all.end,
                     [&](const Interval& span) { edges += edges_between(span.begin, span.end); });
  return edges;
}

// Whether the elements of the nodes tell the result is the same on all ranks; one without memory for it
// learns from the sum of the edges or in the exchange that it has failed, as the others do.
Status complete(const Totals& totals, size_t nodes, AllRanks& ranks, Survey& survey) {
  survey.overlaps = totals.doubled;
  const bool gathers = nodes > 1 || are_few(totals, survey.total);
  const bool may_be_once = totals.elements == survey.total;
  bool told = false;
  uint64_t edges = 0;
  const Status so_far = guarded([&]() -> Status {
    if (gathers) {
      SCORPIO_ASSIGN(survey.nodes, ranks.node_sets());
      told = nodes_tell(totals, survey);
    } else {
      survey.nodes = NodeSets::alike(1, {{{0, survey.total}}, false});
    }
    if (may_be_once && !told) {
      edges = ranks.own_edges();
      survey.coverage.reserve(1);
    }
    return {};
  });
  if (gathers || may_be_once) {
    SCORPIO_ASSIGN(const uint64_t sum, ranks.sum_of_edges(so_far, edges));
    if (told) return {};
    if (may_be_once && sum == edges_between(0, survey.total)) {
      survey.coverage.clear();
      if (survey.total > 0) survey.coverage.push_back({0, survey.total});
      return {};
    }
  }
  SCORPIO_TRY(ranks.exchange_runs(so_far, totals.most_runs, survey));
  survey.overlaps = survey.overlaps || totals.doubled;
  if (!closed_long_gaps(survey)) return {};
  SCORPIO_ASSIGN(survey.cells, ranks.cells(survey.total));
  return {};
}

}  // namespace scorpio::plan
