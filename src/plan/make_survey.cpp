#include "plan/make_survey.h"

#include <array>
#include <functional>
#include <numeric>

#include "base/guarded.h"
#include "base/hash.h"
#include "comm/agree.h"
#include "decomp/intervals.h"
#include "decomp/run_algebra.h"
#include "plan/run_exchange.h"
#include "plan/survey_ways.h"

namespace scorpio::plan {

using comm::Group;
using decomp::Interval;
using decomp::LocalPart;
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

class RanksOfJob final : public AllRanks {
 public:
  RanksOfJob(const Group& comm, const comm::NodeMap& nodes, const RunList& own)
      : comm_(comm), nodes_(nodes), own_(own) {}

  Result<NodeSets> node_sets() override { return gather_node_sets(comm_, nodes_, own_); }
  uint64_t own_edges() override { return edges_of(own_); }
  Result<uint64_t> sum_of_edges(const Status& so_far, uint64_t own) override {
    std::array<uint64_t, 2> words{0, own};
    SCORPIO_TRY(comm::agree_in_place(comm_, so_far, words, 1));
    return words[1];
  }
  Status exchange_runs(const Status& so_far, int64_t most_runs, Survey& survey) override {
    return plan::exchange_runs(comm_, so_far, most_runs, survey);
  }
  Result<HeldCells> cells(int64_t total) override { return gather_cells(comm_, total, own_); }

 private:
  const Group& comm_;
  const comm::NodeMap& nodes_;
  const RunList& own_;
};

}  // namespace

Result<Survey> survey(const Group& comm, const comm::NodeMap& nodes, const Status& mine,
                      const LocalPart& part) {
  Survey result;
  bool doubled = false;
  const Status prepared = guarded([&] {
    if (!mine.ok()) return mine;
    doubled = decomp::has_duplicates(part.runs);
    result.own_runs = doubled ? decomp::last_wins(part.runs) : part.runs;
    result.write_runs = result.own_runs;
    return mine;
  });
  SCORPIO_ASSIGN(const Totals totals, agree_on_totals(comm, prepared, part.dims, result.own_runs, doubled));
  SCORPIO_ASSIGN(result.total, decomp::product(part.dims));
  RanksOfJob ranks(comm, nodes, result.own_runs);
  SCORPIO_TRY(complete(totals, static_cast<size_t>(nodes.nodes()), ranks, result));
  result.coverage.shrink_to_fit();  // keeps the longer memory if there is none for a copy
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
  if (closed_long_gaps(result)) {
    auto cells = std::make_shared<Cells>(result.total);
    cells->add(part.runs);
    result.cells.cells = std::move(cells);
  }
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
