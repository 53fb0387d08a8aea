#include "plan/outlines.h"

#include <algorithm>
#include <numeric>

#include "decomp/run_algebra.h"

namespace scorpio::plan {

using decomp::Interval;
using decomp::LocalPart;
using decomp::RunList;

namespace {

constexpr int64_t k_box = 1, k_doubled = 2;  // flags in a word

std::vector<const Outline*> by_hull(const std::vector<Outline>& outlines) {
  std::vector<const Outline*> sorted;
  for (const Outline& o : outlines) {
    if (!o.empty()) sorted.push_back(&o);
  }
  std::sort(sorted.begin(), sorted.end(),
            [](const Outline* a, const Outline* b) { return a->hull.begin < b->hull.begin; });
  return sorted;
}

bool hulls_disjoint(const std::vector<const Outline*>& sorted) {
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i]->hull.begin < sorted[i - 1]->hull.end) return false;
  }
  return true;
}

bool boxes_meet(const Outline& a, const Outline& b) {
  for (size_t d = 0; d < a.start.size(); ++d) {
    if (a.start[d] + a.count[d] <= b.start[d] || b.start[d] + b.count[d] <= a.start[d]) return false;
  }
  return true;
}

// `sorted` by range: only blocks with overlapping ranges are compared.
bool boxes_disjoint(const std::vector<const Outline*>& sorted) {
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (!sorted[i]->box) return false;
    for (size_t k = i + 1; k < sorted.size() && sorted[k]->hull.begin < sorted[i]->hull.end; ++k) {
      if (!sorted[k]->box || boxes_meet(*sorted[i], *sorted[k])) return false;
    }
  }
  return true;
}

}  // namespace

std::vector<int64_t> words_of(const LocalPart& part, const RunList& runs, bool doubled) {
  const Interval hull = runs.hull();
  const int64_t flags = (part.box ? k_box : 0) | (doubled ? k_doubled : 0);
  std::vector<int64_t> words{hull.begin, hull.end, runs.elements(), runs.run_count(), flags};
  for (size_t d = 0; d < part.dims.size(); ++d) {
    words.push_back(part.box ? part.start[d] : 0);
    words.push_back(part.box ? part.count[d] : 0);
  }
  return words;
}

std::vector<Outline> outlines_of(const std::vector<int64_t>& words, size_t ndims) {
  const size_t each = 5 + 2 * ndims;
  std::vector<Outline> outlines;
  for (size_t at = 0; at < words.size(); at += each) {
    Outline o{{words[at], words[at + 1]},
              words[at + 2],
              words[at + 3],
              (words[at + 4] & k_box) != 0,
              (words[at + 4] & k_doubled) != 0,
              {},
              {}};
    for (size_t d = 0; d < ndims; ++d) {
      o.start.push_back(words[at + 5 + 2 * d]);
      o.count.push_back(words[at + 6 + 2 * d]);
    }
    outlines.push_back(std::move(o));
  }
  return outlines;
}

bool outlines_tell(const std::vector<Outline>& outlines, Survey& survey) {
  const auto sorted = by_hull(outlines);
  const int64_t elements = std::accumulate(sorted.begin(), sorted.end(), int64_t{0},
                                           [](int64_t sum, const Outline* o) { return sum + o->elements; });
  const bool disjoint = hulls_disjoint(sorted);
  if (!disjoint && !boxes_disjoint(sorted)) return false;
  if (elements == survey.total) {
    if (survey.total > 0) survey.coverage = {{0, survey.total}};
    return true;
  }
  const bool solid = std::all_of(sorted.begin(), sorted.end(), [](const Outline* o) { return o->solid(); });
  if (!disjoint || !solid) return false;
  std::vector<Interval> hulls;
  for (const Outline* o : sorted) hulls.push_back(o->hull);
  survey.coverage = decomp::merge(std::move(hulls), k_most_intervals);
  survey.exact = sorted.size() <= k_most_intervals;
  return true;
}

bool any_doubled(const std::vector<Outline>& outlines) {
  return std::ranges::any_of(outlines, &Outline::doubled);
}

int64_t most_runs(const std::vector<Outline>& outlines) {
  int64_t most = 0;
  for (const Outline& o : outlines) most = std::max(most, o.runs);
  return most;
}

}  // namespace scorpio::plan
