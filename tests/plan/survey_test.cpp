// What all ranks hold together, on ranks that are threads, against element-wise references.
#include "plan/make_survey.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "session/thread_group.h"

namespace scorpio::plan {
namespace {

using decomp::Interval;
using decomp::LocalPart;
using Maps = std::vector<std::vector<int64_t>>;  // [ranks] elements

struct Seen {
  std::vector<Survey> surveys;     // [ranks]
  std::vector<uint64_t> meetings;  // [ranks]
};

Seen survey_of(const std::vector<LocalPart>& parts, int nodes) {
  const int ranks = static_cast<int>(parts.size());
  std::vector<int64_t> keys;
  for (int rank = 0; rank < ranks; ++rank) keys.push_back(rank * nodes / ranks);
  test::MeetingPlace place(ranks);
  Seen seen{std::vector<Survey>(parts.size()), std::vector<uint64_t>(parts.size())};
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      const auto mine = static_cast<size_t>(rank);
      const test::ThreadGroup comm(place, rank);
      const comm::NodeMap map = comm::node_map(keys, rank);
      Result<Survey> result = survey(comm, map, {}, parts[mine]);
      ASSERT_TRUE(result.ok()) << result.status().text();
      seen.surveys[mine] = std::move(result).value();
      seen.meetings[mine] = comm.meetings();
    });
  }
  for (std::thread& thread : threads) thread.join();
  return seen;
}

std::vector<LocalPart> parts_of(int64_t total, const Maps& maps) {
  const std::array<int64_t, 1> dims{total};
  std::vector<LocalPart> parts;
  for (const std::vector<int64_t>& index : maps) parts.push_back(decomp::map(dims, index).value());
  return parts;
}

std::set<int64_t> elements_in(const decomp::RunList& runs) {
  std::set<int64_t> elements;
  runs.for_each([&](const decomp::Run& run) {
    for (int64_t i = 0; i < run.length; ++i) elements.insert(run.global + i);
  });
  return elements;
}

bool covers(const std::vector<Interval>& intervals, int64_t element) {
  return std::ranges::any_of(intervals,
                             [&](const Interval& i) { return i.begin <= element && element < i.end; });
}

RC_GTEST_PROP(Surveys, KnowWhatAllRanksHold, ()) {
  const int ranks = *rc::gen::inRange(1, 7), nodes = *rc::gen::inRange(1, ranks + 1);
  const int total = *rc::gen::inRange(1, 60), kind = *rc::gen::inRange(0, 4);
  Maps maps(static_cast<size_t>(ranks));
  for (int64_t e = 0; e < total; ++e) {
    // complete; with holes; in blocks; with elements that several ranks hold
    int holder = kind == 2 ? static_cast<int>(e * ranks / total) : *rc::gen::inRange(0, ranks);
    if (kind == 1 && *rc::gen::inRange(0, 3) == 0) continue;
    maps[static_cast<size_t>(holder)].push_back(e);
    holder = *rc::gen::inRange(0, ranks);
    if (kind == 3 && maps[static_cast<size_t>(holder)].empty())
      maps[static_cast<size_t>(holder)].push_back(e);
  }
  const auto parts = parts_of(total, maps);
  const Seen seen = survey_of(parts, nodes);
  std::multiset<int64_t> held;
  for (const auto& index : maps) held.insert(index.begin(), index.end());
  const std::set<int64_t> all(held.begin(), held.end());
  std::multiset<int64_t> written;
  for (size_t r = 0; r < maps.size(); ++r) {
    const Survey& survey = seen.surveys[r];
    RC_ASSERT(survey.total == total);
    RC_ASSERT(survey.coverage == seen.surveys[0].coverage);
    RC_ASSERT(survey.exact);
    RC_ASSERT(survey.overlaps == (all.size() != held.size()));
    for (int64_t e = 0; e < total; ++e) RC_ASSERT(covers(survey.coverage, e) == all.contains(e));
    const std::set<int64_t> own = elements_in(survey.own_runs), writes = elements_in(survey.write_runs);
    RC_ASSERT(own == std::set<int64_t>(maps[r].begin(), maps[r].end()));
    written.insert(writes.begin(), writes.end());
    for (const int64_t e : own) {
      bool higher = false;
      for (size_t other = r + 1; other < maps.size(); ++other)
        higher = higher || std::ranges::count(maps[other], e) > 0;
      RC_ASSERT(writes.contains(e) == !higher);
      const auto node = static_cast<size_t>(static_cast<int>(r) * nodes / ranks);
      RC_ASSERT(survey.nodes.any(node, e, e + 1));
    }
  }
  RC_ASSERT(written == std::multiset<int64_t>(all.begin(), all.end()));
}

// Blocks of a large array, and regular maps, need no exchange of runs: it would meet five times more.
TEST(Surveys, OfArraysThatAreHeldOnceNeedNoExchange) {
  const std::array<int64_t, 3> dims{64, 48, 40};
  std::vector<LocalPart> blocks;
  for (int64_t y = 0; y < 3; ++y) {
    for (int64_t x = 0; x < 2; ++x) {
      const std::array<int64_t, 3> start{0, 16 * y, 20 * x}, count{64, 16, 20};
      blocks.push_back(decomp::block(dims, start, count).value());
    }
  }
  Maps dealt(6);
  for (int64_t e = 0; e < 3001; ++e) dealt[static_cast<size_t>(e * e % 6)].push_back(e);
  for (const int nodes : {1, 2, 6}) {
    for (const auto& parts : {blocks, parts_of(3001, dealt)}) {
      const Seen seen = survey_of(parts, nodes);
      EXPECT_EQ((std::vector<Interval>{{0, seen.surveys[0].total}}), seen.surveys[0].coverage);
      EXPECT_TRUE(seen.surveys[0].exact);
      EXPECT_FALSE(seen.surveys[0].overlaps);
      EXPECT_LE(seen.meetings[0], 4u) << nodes << " nodes";
    }
  }
}

// The blocks of some ranks, with holes between them.
TEST(Surveys, OfRegularPartsOfAnArrayNeedNoExchange) {
  const std::array<int64_t, 2> dims{100, 60};
  std::vector<LocalPart> parts;
  for (int64_t r = 0; r < 4; ++r) {
    const std::array<int64_t, 2> start{10, 10 * r}, count{80, 5};
    parts.push_back(decomp::block(dims, start, count).value());
  }
  for (const int nodes : {1, 2, 4}) {
    const Seen seen = survey_of(parts, nodes);
    EXPECT_EQ(320u, seen.surveys[0].coverage.size());
    EXPECT_TRUE(seen.surveys[0].exact);
    EXPECT_LE(seen.meetings[0], 3u) << nodes << " nodes";
  }
}

}  // namespace
}  // namespace scorpio::plan
