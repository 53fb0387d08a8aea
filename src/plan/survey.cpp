#include "plan/survey.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/hash.h"
#include "comm/agree.h"
#include "decomp/run_algebra.h"
#include "plan/survey_sort.h"

namespace scorpio::plan {

using comm::Group;
using decomp::Interval;
using decomp::LocalPart;
using decomp::Run;
using decomp::RunList;

namespace {

uint64_t hash_of(const std::vector<int64_t>& dims) { return fnv1a(std::as_bytes(std::span(dims))); }

// The values that each rank sends to all others: the range of its elements, whether this has gaps, and its
// block.
struct Outline {
  Interval hull;
  int64_t elements;
  bool box;
  std::vector<int64_t> start, count;

  bool empty() const { return elements == 0; }
  bool solid() const { return elements == hull.end - hull.begin; }
};

std::vector<int64_t> words_of(const LocalPart& part, const RunList& runs) {
  const Interval hull = runs.hull();
  std::vector<int64_t> words{hull.begin, hull.end, runs.elements(), part.box ? 1 : 0};
  for (size_t d = 0; d < part.dims.size(); ++d) {
    words.push_back(part.box ? part.start[d] : 0);
    words.push_back(part.box ? part.count[d] : 0);
  }
  return words;
}

std::vector<Outline> outlines_of(const std::vector<int64_t>& words, size_t ndims) {
  const size_t each = 4 + 2 * ndims;
  std::vector<Outline> outlines;
  for (size_t at = 0; at < words.size(); at += each) {
    Outline o{{words[at], words[at + 1]}, words[at + 2], words[at + 3] != 0, {}, {}};
    for (size_t d = 0; d < ndims; ++d) {
      o.start.push_back(words[at + 4 + 2 * d]);
      o.count.push_back(words[at + 5 + 2 * d]);
    }
    outlines.push_back(std::move(o));
  }
  return outlines;
}

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

// Returns true if the outlines alone determine the result; `survey` is then complete.
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

std::vector<Interval> hulls_by_node(const std::vector<Outline>& outlines, const comm::NodeMap& nodes) {
  std::vector<Interval> hulls(static_cast<size_t>(nodes.nodes()), Interval{0, 0});
  for (size_t r = 0; r < outlines.size(); ++r) {
    if (outlines[r].empty()) continue;
    Interval& hull = hulls[static_cast<size_t>(nodes.node_of_rank[r])];
    const bool first = hull.begin == hull.end;
    hull.begin = first ? outlines[r].hull.begin : std::min(hull.begin, outlines[r].hull.begin);
    hull.end = first ? outlines[r].hull.end : std::max(hull.end, outlines[r].hull.end);
  }
  return hulls;
}

// ---- the exchange of runs: each rank processes an equal share (bucket) of the global indices ----

class Exchange {
 public:
  Exchange(const Group& comm, int64_t total)
      : comm_(comm), bucket_((total + comm.size() - 1) / comm.size()) {}

  Status run(Survey& survey) {
    SCORPIO_ASSIGN(const auto received, comm_.all_to_all(cut_into_buckets(survey.write_runs)));
    std::vector<HeldRun> held;
    for (size_t r = 0; r < received.size(); ++r) {
      for (size_t i = 0; i + 1 < received[r].size(); i += 2) {
        held.push_back({received[r][i], received[r][i + 1], static_cast<int32_t>(r)});
      }
    }
    const BucketSurvey bucket = survey_bucket(std::move(held));
    SCORPIO_TRY(drop_losers(bucket, survey));
    return gather_coverage(bucket, survey);
  }

 private:
  std::vector<std::vector<int64_t>> cut_into_buckets(const RunList& runs) const {
    std::vector<std::vector<int64_t>> parts(static_cast<size_t>(comm_.size()));
    runs.for_each([&](const Run& run) {
      for (int64_t at = run.global; at < run.global + run.length;) {
        const int64_t rank = at / bucket_;
        const int64_t end = std::min(run.global + run.length, (rank + 1) * bucket_);
        auto& part = parts[static_cast<size_t>(rank)];
        const bool continues = !part.empty() && part.back() == at;
        if (continues) {
          part.back() = end;
        } else {
          part.insert(part.end(), {at, end});
        }
        at = end;
      }
    });
    return parts;
  }

  Status drop_losers(const BucketSurvey& bucket, Survey& survey) const {
    std::vector<std::vector<int64_t>> back(static_cast<size_t>(comm_.size()));
    for (const auto& [rank, range] : bucket.losers) {
      back[static_cast<size_t>(rank)].insert(back[static_cast<size_t>(rank)].end(), {range.begin, range.end});
    }
    SCORPIO_ASSIGN(const auto mine, comm_.all_to_all(back));
    std::vector<Interval> lost;  // buckets ascend with the rank, so this is sorted
    for (const auto& part : mine) {
      for (size_t i = 0; i + 1 < part.size(); i += 2) lost.push_back({part[i], part[i + 1]});
    }
    if (!lost.empty()) survey.write_runs = decomp::without(survey.write_runs, lost);
    return {};
  }

  Status gather_coverage(const BucketSurvey& bucket, Survey& survey) const {
    const size_t most = std::max<size_t>(8, k_most_intervals / static_cast<size_t>(comm_.size()));
    const auto coarse = decomp::merge(bucket.coverage, most);
    std::vector<int64_t> words;
    for (const Interval& i : coarse) words.insert(words.end(), {i.begin, i.end});
    SCORPIO_ASSIGN(const auto all, comm_.all_gather_parts(words));
    std::vector<Interval> coverage;
    for (size_t i = 0; i + 1 < all.size(); i += 2) coverage.push_back({all[i], all[i + 1]});
    survey.coverage =
        decomp::merge(std::move(coverage), k_most_intervals + 8 * static_cast<size_t>(comm_.size()));
    uint64_t flags[2] = {coarse.size() < bucket.coverage.size() ? 1u : 0u, bucket.losers.empty() ? 0u : 1u};
    SCORPIO_TRY(comm_.all_max(flags));
    survey.exact = flags[0] == 0;
    survey.overlaps = flags[1] != 0;
    return {};
  }

  const Group& comm_;
  int64_t bucket_;
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
  result.write_runs = doubled ? decomp::last_wins(part.runs) : part.runs;
  SCORPIO_ASSIGN(const auto words, comm.all_gather(words_of(part, result.write_runs)));
  const std::vector<Outline> outlines = outlines_of(words, part.dims.size());
  result.node_hulls = hulls_by_node(outlines, nodes);
  if (!outlines_tell(outlines, result)) SCORPIO_TRY(Exchange(comm, result.total).run(result));
  result.overlaps = result.overlaps || doubled;
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
  const Interval hull = part.runs.hull(), none{0, 0};
  result.node_hulls.assign(static_cast<size_t>(nodes.nodes()), holder ? none : hull);
  if (holder) {
    const int node = nodes.node_of_rank[static_cast<size_t>(*holder)];
    result.node_hulls[static_cast<size_t>(node)] = hull;
    if (*holder != rank) part.runs = {};
  }
  result.write_runs = part.runs;
  return result;
}

}  // namespace scorpio::plan
