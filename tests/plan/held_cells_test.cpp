// Which stretches of an array ranks hold elements of, against element-wise references.
#include "plan/held_cells.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <set>
#include <thread>

#include "plan/make_survey.h"
#include "session/thread_group.h"

namespace scorpio::plan {
namespace {

using decomp::Interval;

std::set<int64_t> elements_of(const std::vector<Interval>& intervals) {
  std::set<int64_t> elements;
  for (const Interval& i : intervals) {
    for (int64_t e = i.begin; e < i.end; ++e) elements.insert(e);
  }
  return elements;
}

std::vector<Interval> random_intervals(int64_t from, int64_t end) {
  std::vector<Interval> intervals;
  for (int64_t at = from + *rc::gen::inRange(0, 100); at < end;) {
    const int64_t length = *rc::gen::inRange<int64_t>(1, 150);
    intervals.push_back({at, std::min(end, at + length)});
    at += length + *rc::gen::inRange<int64_t>(1, 200);
  }
  return intervals;
}

std::vector<Interval> all_of(HeldIntervals& held, size_t most) {
  std::vector<Interval> all;
  while (held.any_left()) {
    const std::vector<Interval> part = held.next(most);
    EXPECT_FALSE(part.empty());
    EXPECT_LE(part.size(), most);
    all.insert(all.end(), part.begin(), part.end());
  }
  EXPECT_TRUE(held.next(most).empty());
  return all;
}

// `k_cell` elements have a bit.
constexpr int64_t k_cell = 3, k_total = k_cell * k_most_cells - 1;

RC_GTEST_PROP(HeldIntervals, AreThoseOfTheCoverageWithElementsInTheirCells, ()) {
  RC_ASSERT(cell_elements(k_total) == k_cell);
  const int64_t origin = *rc::gen::inRange<int64_t>(0, k_total - 1000), window = 1000;
  const std::vector<Interval> held = random_intervals(origin, origin + window);
  auto cells = std::make_shared<Cells>(k_total);
  for (const Interval& i : held) cells->add(i);
  const std::vector<Interval> coverage = random_intervals(0, window);
  std::set<int64_t> in_cells;
  for (const int64_t e : elements_of(held)) {
    for (int64_t c = e / k_cell * k_cell; c < (e / k_cell + 1) * k_cell; ++c) in_cells.insert(c - origin);
  }
  std::set<int64_t> expected;
  for (const int64_t e : elements_of(coverage)) {
    if (in_cells.contains(e)) expected.insert(e);
  }
  const HeldCells known{cells, origin};
  HeldIntervals exact(coverage, known, 0);
  const std::vector<Interval> all = all_of(exact, 2);
  RC_ASSERT(elements_of(all) == expected);
  for (size_t i = 1; i < all.size(); ++i) RC_ASSERT(all[i - 1].end < all[i].begin);
  const int64_t gap = *rc::gen::inRange<int64_t>(1, 20);
  HeldIntervals joined(coverage, known, gap);
  std::vector<Interval> closed;
  for (const Interval& i : all) {
    if (closed.empty() || i.begin - closed.back().end > gap) closed.push_back(i);
    closed.back().end = i.end;
  }
  RC_ASSERT(all_of(joined, 3) == closed);
}

TEST(HeldIntervals, AreThoseOfTheCoverageWithoutCells) {
  const std::vector<Interval> coverage{{0, 4}, {6, 7}, {20, 21}};
  const HeldCells unknown;
  HeldIntervals held(coverage, unknown, 2);
  EXPECT_EQ((std::vector<Interval>{{0, 7}, {20, 21}}), held.next(5));
  EXPECT_FALSE(held.any_left());
  const std::vector<Interval> none;
  HeldIntervals empty(none, unknown, 2);
  EXPECT_FALSE(empty.any_left());
  EXPECT_TRUE(empty.next(5).empty());
}

template <typename Body>
void on_ranks(int ranks, Body&& body) {
  test::MeetingPlace place(ranks);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] { body(test::ThreadGroup(place, rank)); });
  for (std::thread& thread : threads) thread.join();
}

TEST(HeldCells, AreThoseOfAllRanks) {
  for (const int ranks : {1, 2, 3, 5, 8}) {
    on_ranks(ranks, [&](const comm::Group& comm) {
      const std::array<int64_t, 1> dims{k_total};
      const int64_t mine = 1000 * comm.rank();
      const auto part = decomp::map(dims, std::vector<int64_t>{mine, mine + 1, k_total - 1}).value();
      const auto cells = gather_cells(comm, k_total, part.runs);
      ASSERT_TRUE(cells.ok()) << cells.status().text();
      Cells expected(k_total);
      for (int64_t rank = 0; rank < ranks; ++rank) expected.add(Interval{1000 * rank, 1000 * rank + 2});
      expected.add(Interval{k_total - 1, k_total});
      EXPECT_TRUE(std::ranges::equal(expected.words(), cells->cells->words())) << ranks << " ranks";
    });
  }
}

// More elements than the coverage has intervals for, each far from the others.
decomp::LocalPart sparse(int64_t elements, int64_t stride, bool regular, int rank, int ranks) {
  const std::array<int64_t, 1> dims{elements * stride};
  std::vector<int64_t> index;
  for (int64_t i = rank; i < elements; i += ranks) index.push_back(i * stride + (regular ? 0 : i * i % 97));
  return decomp::map(dims, index).value();
}

TEST(HeldCells, AreKnownWhereLongGapsWereClosed) {
  constexpr int64_t k_elements = k_most_intervals + 5000, k_stride = 3000;
  for (const int ranks : {1, 3}) {
    for (const bool regular : {false, true}) {
      on_ranks(ranks, [&](const comm::Group& comm) {
        std::vector<int64_t> keys;  // a node for each rank
        for (int rank = 0; rank < ranks; ++rank) keys.push_back(rank);
        const decomp::LocalPart part = sparse(k_elements, k_stride, regular, comm.rank(), ranks);
        const auto known = survey(comm, comm::node_map(keys, comm.rank()), {}, part);
        ASSERT_TRUE(known.ok()) << known.status().text();
        EXPECT_FALSE(known->exact);
        EXPECT_EQ(k_most_intervals, known->coverage.size());
        ASSERT_NE(nullptr, known->cells.cells);
        HeldIntervals held(known->coverage, known->cells, 0);
        const std::vector<Interval> all = all_of(held, k_most_intervals);
        int64_t covered = 0;
        for (const Interval& i : all) covered += i.end - i.begin;
        EXPECT_EQ(static_cast<size_t>(k_elements), all.size());
        EXPECT_LE(covered, k_elements + 5002 * cell_elements(known->total));
        part.runs.for_each([&](const decomp::Run& run) {
          const auto at =
              std::ranges::partition_point(all, [&](const Interval& i) { return i.end <= run.global; });
          ASSERT_TRUE(at != all.end() && at->begin <= run.global) << run.global;
        });
      });
    }
  }
}

TEST(HeldCells, OfAPartThatAllKnowNeedNoMessage) {
  const comm::NodeMap nodes = comm::node_map(std::vector<int64_t>{0, 0}, 0);
  decomp::LocalPart part = sparse(k_most_intervals + 10, 2000, false, 0, 1);
  const Survey known = survey_of_known_part(nodes, 0, 1, part);
  EXPECT_FALSE(known.exact);
  ASSERT_NE(nullptr, known.cells.cells);
  const Survey within = survey_within(known, {10'000'000, 20'000'000});
  HeldIntervals held(within.coverage, within.cells, 0);
  EXPECT_EQ(5000u, all_of(held, 10'000).size());
}

TEST(HeldCells, AreNotKeptForShortGaps) {
  const comm::NodeMap nodes = comm::node_map(std::vector<int64_t>{0}, 0);
  decomp::LocalPart part = sparse(k_most_intervals + 10, 300, false, 0, 1);
  const Survey known = survey_of_known_part(nodes, 0, std::nullopt, part);
  EXPECT_FALSE(known.exact);
  EXPECT_EQ(nullptr, known.cells.cells);
}

}  // namespace
}  // namespace scorpio::plan
