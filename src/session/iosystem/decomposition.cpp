#include "session/iosystem/decomposition.h"

#include <algorithm>

#include "base/guarded.h"
#include "base/hash.h"
#include "comm/agree.h"
#include "decomp/run_algebra.h"
#include "plan/make_survey.h"
#include "plan/shares.h"

namespace scorpio::session {

namespace {

// The number of lines of runs that describe() shows.
constexpr size_t k_shown_segments = 16;
// The number of views in the order of chunks that a decomposition keeps, one for each chunk shape and type.
constexpr size_t k_most_views = 8;
// Marks numbers that System::next_number() does not reach.
constexpr uint64_t k_not_counted = uint64_t{1} << 63;

// The survey describes the elements of all ranks, wherever they are in memory; only its runs are those of
// this rank. `part` is `from` after its placement in memory.
plan::Survey placed(const plan::Survey& survey, const decomp::LocalPart& from, const decomp::LocalPart& part,
                    const decomp::MemoryLayout& layout) {
  const bool all = survey.write_runs.elements() == part.runs.elements();
  return {survey.total,
          survey.coverage,
          survey.exact,
          survey.overlaps,
          survey.nodes,
          decomp::last_wins(part.runs),
          all ? part.runs : decomp::placed(survey.write_runs, from.shape, layout),
          survey.cells};
}

// The elements of each node in the order of chunks, as complete layers of chunks.
plan::NodeSets in_layers(const plan::NodeSets& nodes, const decomp::ChunkOrder& order) {
  std::vector<decomp::CoarseSet> sets(nodes.nodes());
  for (size_t n = 0; n < nodes.nodes(); ++n) {
    const decomp::Interval hull = order.hull(nodes.hull(n));
    if (hull.begin < hull.end) sets[n] = {{{hull.begin, hull.end - hull.begin}}, false};
  }
  return plan::NodeSets(sets);
}

}  // namespace

Decomposition::Decomposition(const System& system, uint64_t number, decomp::LocalPart part,
                             plan::Survey survey)
    : system_identity_(system.identity()), rank_(system.comm().rank()) {
  set(number, std::move(part), std::move(survey));
}

void Decomposition::set(uint64_t number, decomp::LocalPart part, plan::Survey survey) noexcept {
  number_ = number;
  part_ = std::move(part);
  survey_ = std::move(survey);
}

// Behind the last message nothing needs memory: a rank without it would fail alone.
Result<std::unique_ptr<Decomposition>> Decomposition::create(System& system, Result<decomp::LocalPart> part) {
  system.comm().enter("scorpio_decomp");
  std::unique_ptr<Decomposition> made;
  decomp::LocalPart own;
  const Status mine = guarded([&]() -> Status {
    made.reset(new Decomposition(system, 0, {}, {}));
    SCORPIO_ASSIGN(own, std::move(part));
    return {};
  });
  SCORPIO_ASSIGN(plan::Survey survey, plan::survey(system.comm(), system.nodes(), mine, own));
  made->set(system.next_number(), std::move(own), std::move(survey));
  return made;
}

std::unique_ptr<Decomposition> Decomposition::known_to_all(const System& system, decomp::LocalPart part,
                                                           std::optional<int> holder, std::string name) {
  plan::Survey survey = plan::survey_of_known_part(system.nodes(), system.comm().rank(), holder, part);
  std::unique_ptr<Decomposition> known(
      new Decomposition(system, fnv1a(name) | k_not_counted, std::move(part), std::move(survey)));
  known->name_ = std::move(name);
  return known;
}

// A decomposition has at least one dimension.
std::unique_ptr<Decomposition> Decomposition::at_index(const System& system, int64_t index) const {
  const int64_t elements = survey_.total / part_.dims.front();
  const decomp::Interval window{index * elements, (index + 1) * elements};
  decomp::LocalPart part;
  part.dims.assign(part_.dims.begin() + 1, part_.dims.end());
  if (part.dims.empty()) part.dims.push_back(1);
  part.shape = part_.shape;
  part.local_elements = part_.local_elements;
  part.runs = decomp::within(part_.runs, window);
  std::string name = fmt::format("index {} of {}", index, name_of(number_, name_));
  std::unique_ptr<Decomposition> made(new Decomposition(system, fnv1a(name) | k_not_counted, std::move(part),
                                                        plan::survey_within(survey_, window)));
  made->name_ = std::move(name);
  return made;
}

std::shared_ptr<const ChunkView> Decomposition::in_chunks(const decomp::ChunkGrid& grid, bool frame) const {
  const auto found = std::ranges::find_if(
      views_, [&](const auto& view) { return view->frame == frame && view->grid == grid; });
  if (found != views_.end()) return *found;
  return add_view({grid, frame, {}, {}, {}}, decomp::ChunkOrder(grid, frame));
}

std::shared_ptr<const ChunkView> Decomposition::in_chunks(const decomp::ChunkGrid& grid,
                                                          const decomp::Region& region) const {
  const auto found = std::ranges::find_if(
      views_, [&](const auto& view) { return view->region == region && view->grid == grid; });
  if (found != views_.end()) return *found;
  return add_view({grid, false, region, {}, {}}, decomp::ChunkOrder(grid, region));
}

std::shared_ptr<const ChunkView> Decomposition::add_view(ChunkView made,
                                                         const decomp::ChunkOrder& order) const {
  auto view = std::make_shared<ChunkView>(std::move(made));
  decomp::ChunkOrder::Covering covering(order, plan::k_most_intervals);
  plan::HeldIntervals held(survey_.coverage, survey_.cells, 0);
  while (held.any_left()) covering.add(held.next(plan::k_most_intervals));
  decomp::ChunkOrder::Cover cover = covering.take();
  view->survey = {survey_.total,
                  std::move(cover.intervals),
                  survey_.exact && cover.exact,
                  survey_.overlaps,
                  in_layers(survey_.nodes, order),
                  {},
                  order.runs(survey_.write_runs)};
  view->runs = survey_.overlaps ? order.runs(part_.runs) : view->survey.write_runs;
  if (views_.size() == k_most_views) views_.erase(views_.begin());
  views_.push_back(view);
  return view;
}

const ChunkView::Filled& Decomposition::filled_in_chunks(const ChunkView& view, int ranks) const {
  if (view.filled) return *view.filled;
  const decomp::ChunkOrder order = view.grid.is_free() ? decomp::ChunkOrder(view.grid, view.region)
                                                       : decomp::ChunkOrder(view.grid, view.frame);
  const std::vector<decomp::Interval> all{{0, survey_.total}};
  decomp::ChunkOrder::Cover cover = order.cover(all, plan::k_most_intervals);
  const decomp::CoarseSet anything = cover.intervals.empty()
                                         ? decomp::CoarseSet()
                                         : decomp::CoarseSet{{{0, cover.intervals.back().end}}, false};
  view.filled =
      ChunkView::Filled{std::move(cover.intervals), plan::NodeSets::alike(survey_.nodes.nodes(), anything),
                        order.runs(survey_.exact ? holes(ranks).share : plan::share_of(all, rank_, ranks))};
  return *view.filled;
}

std::string name_of(uint64_t number, const std::string& name) {
  return name.empty() ? fmt::format("decomposition {}", number) : name;
}

Result<std::unique_ptr<Decomposition>> Decomposition::create_placed(
    System& system, const Result<const Decomposition*>& origin, const Result<decomp::MemoryLayout>& layout) {
  system.comm().enter("scorpio_decomp_memory");
  std::unique_ptr<Decomposition> made;
  uint64_t number = 0;
  // The ranks also agree on a failed allocation.
  const Status mine = guarded([&]() -> Status {
    SCORPIO_ASSIGN(const Decomposition* from, origin);
    number = from->number();
    SCORPIO_TRY(layout.status());
    if (!from->belongs_to(system)) {
      return failure(Code::handle,
                     "the decomposition belongs to another I/O system; give the one with which it was made");
    }
    SCORPIO_ASSIGN(decomp::LocalPart part, decomp::placed(from->part(), *layout));
    plan::Survey survey = placed(from->survey(), from->part(), part, *layout);
    made.reset(new Decomposition(system, 0, std::move(part), std::move(survey)));
    return {};
  });
  SCORPIO_TRY(comm::agree_equal(system.comm(), mine, number, "values of 'decomp'", {},
                                [&] { return fmt::format("decomposition {}\n", number); }));
  made->number_ = system.next_number();
  return made;
}

const Decomposition::Holes& Decomposition::holes(int ranks) const {
  if (!holes_) {
    const std::vector<decomp::Interval> all = plan::holes(survey_.coverage, survey_.total);
    holes_ = Holes{!all.empty(), plan::share_of(all, rank_, ranks)};
  }
  return *holes_;
}

std::string Decomposition::describe() const {
  std::string text =
      fmt::format("array: {} elements, extents ({})\n", survey_.total, fmt::join(part_.dims, ", "));
  text += fmt::format(
      "all ranks: {} covered range{}, {}, {}\n", survey_.coverage.size(),
      survey_.coverage.size() == 1 ? "" : "s", survey_.exact ? "without holes in them" : "with holes",
      survey_.overlaps ? "some elements held more than once" : "each element held once at most");
  text += fmt::format("rank {}: buffer of {} elements, {} held in {} runs, {} of them written\n", rank_,
                      part_.local_elements, part_.runs.elements(), part_.runs.run_count(),
                      survey_.write_runs.elements());
  const auto& segments = part_.runs.segments();
  for (size_t i = 0; i < std::min(segments.size(), k_shown_segments); ++i) {
    const decomp::Segment s = segments[i];
    text += fmt::format("  global {} + {} x {} every {} <- buffer {} every {}\n", s.global, s.count, s.length,
                        s.global_stride, s.local, s.local_stride);
  }
  if (segments.size() > k_shown_segments)
    text += fmt::format("  ... {} more\n", segments.size() - k_shown_segments);
  return text;
}

}  // namespace scorpio::session
