#include "plan/survey_ways.h"

#include "base/hash.h"
#include "decomp/run_algebra.h"

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

// Whether the ranks hold every element of the array once; `survey` is then complete.
Result<bool> cover_once(AllRanks& ranks, Survey& survey) {
  SCORPIO_ASSIGN(const uint64_t edges, ranks.edges());
  if (edges != edges_between(0, survey.total)) return false;
  if (survey.total > 0) survey.coverage = {{0, survey.total}};
  return true;
}

}  // namespace

uint64_t edges_of(const decomp::RunList& runs) {
  uint64_t edges = 0;
  const Interval all = runs.hull();
  runs.for_each_span(all.begin, all.end,
                     [&](const Interval& span) { edges += edges_between(span.begin, span.end); });
  return edges;
}

Status complete(const Totals& totals, size_t nodes, AllRanks& ranks, Survey& survey) {
  survey.overlaps = totals.doubled;
  if (nodes > 1 || are_few(totals, survey.total)) {
    SCORPIO_ASSIGN(survey.nodes, ranks.node_sets());
    if (nodes_tell(totals, survey)) return {};
  } else {
    survey.nodes = NodeSets::alike(1, {{{0, survey.total}}, false});
  }
  if (totals.elements == survey.total) {
    SCORPIO_ASSIGN(const bool once, cover_once(ranks, survey));
    if (once) return {};
  }
  SCORPIO_TRY(ranks.exchange_runs(totals.most_runs, survey));
  survey.overlaps = survey.overlaps || totals.doubled;
  if (!closed_long_gaps(survey)) return {};
  SCORPIO_ASSIGN(survey.cells, ranks.cells(survey.total));
  return {};
}

}  // namespace scorpio::plan
