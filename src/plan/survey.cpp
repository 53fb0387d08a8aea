#include "plan/survey.h"

#include <algorithm>

#include "decomp/run_algebra.h"

namespace scorpio::plan {

using decomp::Interval;

// The closed gaps are at most as long as those that are kept.
bool closed_long_gaps(const Survey& survey) {
  if (survey.exact || survey.coverage.size() < 2) return !survey.exact;
  int64_t shortest = survey.total;
  for (size_t i = 1; i < survey.coverage.size(); ++i)
    shortest = std::min(shortest, survey.coverage[i].begin - survey.coverage[i - 1].end);
  return shortest > std::max(k_short_gap, cell_elements(survey.total));
}

Survey survey_within(const Survey& survey, const Interval& window) {
  const auto cut = [&](const Interval& part) {
    return Interval{std::max(part.begin, window.begin) - window.begin,
                    std::min(part.end, window.end) - window.begin};
  };
  Survey result;
  result.total = window.end - window.begin;
  for (const Interval& held : survey.coverage) {
    const Interval part = cut(held);
    if (part.begin < part.end) result.coverage.push_back(part);
  }
  result.exact = survey.exact;
  result.overlaps = survey.overlaps;
  std::vector<decomp::CoarseSet> sets(survey.nodes.nodes());
  for (size_t n = 0; n < sets.size(); ++n) {
    const Interval hull = cut(survey.nodes.hull(n));
    if (hull.begin < hull.end) sets[n] = {{{hull.begin, hull.end - hull.begin}}, false};
  }
  result.nodes = NodeSets(sets);
  result.own_runs = decomp::within(survey.own_runs, window);
  result.write_runs = decomp::within(survey.write_runs, window);
  result.cells = {survey.cells.cells, survey.cells.origin + window.begin};
  return result;
}

}  // namespace scorpio::plan
