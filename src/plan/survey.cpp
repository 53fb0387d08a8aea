#include "plan/survey.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/hash.h"
#include "comm/agree.h"
#include "decomp/run_algebra.h"
#include "decomp/run_packer.h"
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
  int64_t runs;
  bool box;
  std::vector<int64_t> start, count;

  bool empty() const { return elements == 0; }
  bool solid() const { return elements == hull.end - hull.begin; }
};

std::vector<int64_t> words_of(const LocalPart& part, const RunList& runs) {
  const Interval hull = runs.hull();
  std::vector<int64_t> words{hull.begin, hull.end, runs.elements(), runs.run_count(), part.box ? 1 : 0};
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
    Outline o{{words[at], words[at + 1]}, words[at + 2], words[at + 3], words[at + 4] != 0, {}, {}};
    for (size_t d = 0; d < ndims; ++d) {
      o.start.push_back(words[at + 5 + 2 * d]);
      o.count.push_back(words[at + 6 + 2 * d]);
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

// Of a rank in one round, where its runs are spread evenly: what is in memory for them is a part of its map.
constexpr int64_t k_round_runs = int64_t{1} << 16;
// Of a bucket, while it is surveyed.
constexpr size_t k_intervals_at_once = 2 * k_most_intervals;

// In each round the next slice of every bucket.
class Exchange {
 public:
  Exchange(const Group& comm, int64_t total, int64_t most_runs)
      : comm_(comm),
        total_(total),
        bucket_((total + comm.size() - 1) / comm.size()),
        rounds_(std::max<int64_t>(1, (most_runs + k_round_runs - 1) / k_round_runs)),
        slice_((bucket_ + rounds_ - 1) / rounds_) {}

  Status run(Survey& survey) {
    for (int64_t round = 0; round < rounds_; ++round) {
      SCORPIO_ASSIGN(const auto received, comm_.all_to_all(cut_into_buckets(survey.write_runs, round)));
      std::vector<HeldRun> held;
      for (size_t r = 0; r < received.size(); ++r) {
        for (size_t i = 0; i + 1 < received[r].size(); i += 2) {
          held.push_back({received[r][i], received[r][i + 1], static_cast<int32_t>(r)});
        }
      }
      const BucketSurvey slice = survey_bucket(std::move(held));
      SCORPIO_TRY(return_losers(slice));
      add_coverage(slice.coverage);
    }
    drop_lost(survey.write_runs);
    return gather_coverage(survey);
  }

 private:
  std::vector<std::vector<int64_t>> cut_into_buckets(const RunList& runs, int64_t round) const {
    std::vector<std::vector<int64_t>> parts(static_cast<size_t>(comm_.size()));
    for (size_t rank = 0; rank < parts.size(); ++rank) {
      const Interval slice = slice_of(static_cast<int64_t>(rank), round);
      std::vector<int64_t>& part = parts[rank];
      runs.for_each_span(slice.begin, slice.end, [&](const Interval& span) {
        part.insert(part.end(), {span.begin, span.end});
      });
    }
    return parts;
  }

  Interval slice_of(int64_t rank, int64_t round) const {
    const int64_t bucket = rank * bucket_, begin = bucket + round * slice_;
    return {begin, std::min({begin + slice_, bucket + bucket_, total_})};
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
      for (int64_t round = 0; round < rounds_; ++round) {
        const Interval slice = slice_of(rank, round);
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

  // Slices ascend.
  void add_coverage(const std::vector<Interval>& slice) {
    for (const Interval& interval : slice) {
      const bool continues = !coverage_.empty() && coverage_.back().end == interval.begin;
      if (continues) {
        coverage_.back().end = interval.end;
      } else {
        coverage_.push_back(interval);
      }
    }
    if (coverage_.size() > k_intervals_at_once) coarsen();
  }

  void coarsen() {
    const size_t most = std::max<size_t>(8, k_most_intervals / static_cast<size_t>(comm_.size()));
    exact_ = exact_ && coverage_.size() <= most;
    coverage_ = decomp::merge(std::move(coverage_), most);
  }

  Status gather_coverage(Survey& survey) {
    coarsen();
    std::vector<int64_t> words;
    for (const Interval& i : coverage_) words.insert(words.end(), {i.begin, i.end});
    SCORPIO_ASSIGN(const auto all, comm_.all_gather_parts(words));
    std::vector<Interval> coverage;
    for (size_t i = 0; i + 1 < all.size(); i += 2) coverage.push_back({all[i], all[i + 1]});
    survey.coverage =
        decomp::merge(std::move(coverage), k_most_intervals + 8 * static_cast<size_t>(comm_.size()));
    uint64_t flags[2] = {exact_ ? 0u : 1u, overlaps_ ? 1u : 0u};
    SCORPIO_TRY(comm_.all_max(flags));
    survey.exact = flags[0] == 0;
    survey.overlaps = flags[1] != 0;
    return {};
  }

  const Group& comm_;
  int64_t total_, bucket_, rounds_, slice_;
  std::vector<RunList> lost_;       // [rounds] by this rank
  std::vector<Interval> coverage_;  // of this rank's bucket
  bool exact_ = true;
  bool overlaps_ = false;
};

int64_t most_runs(const std::vector<Outline>& outlines) {
  int64_t most = 0;
  for (const Outline& o : outlines) most = std::max(most, o.runs);
  return most;
}

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
  SCORPIO_ASSIGN(const auto words, comm.all_gather(words_of(part, result.write_runs)));
  const std::vector<Outline> outlines = outlines_of(words, part.dims.size());
  result.node_hulls = hulls_by_node(outlines, nodes);
  if (!outlines_tell(outlines, result))
    SCORPIO_TRY(Exchange(comm, result.total, most_runs(outlines)).run(result));
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
  result.own_runs = decomp::last_wins(part.runs);
  result.write_runs = part.runs;
  return result;
}

}  // namespace scorpio::plan
