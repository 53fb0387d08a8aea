// The engine with ranks that are threads: what is put is in the files, and comes back, however the ranks'
// accesses to shared memory follow each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

#include "exchange/drawn_program.h"
#include "exchange/drawn_runs.h"
#include "exchange/engine.h"
#include "exchange/interleaving.h"

namespace scorpio::test {
namespace {

// Returns how many accesses were drawn. `operations`: collective transfers of all ranks are added.
uint64_t run_one(const Shape& shape, const Draw& draw, const Program::Extent& extent,
                 std::atomic<uint64_t>& operations) {
  const Program program(shape, draw.seed, extent);
  Job job(shape, draw.seed);
  Interleaving interleaving(draw);
  const int workers = shape.workers ? static_cast<int>(shape.io_ranks.size()) : 0;
  interleaving.run(shape.ranks() + workers, [&](int number) {
    if (number >= shape.ranks()) return job.work(number - shape.ranks());
    Rank rank(job, number);
    Caller caller;
    Performer performer(rank, program, caller, false);
    for (const Operation& operation : program.operations()) {
      performer.perform(operation);
      if (operation.kind == Operation::Kind::put && operation.values % 2 == 0) rank.await_writes();
      // No rank works for the others meanwhile.
      if (operation.kind == Operation::Kind::put && operation.values % 3 == 0 && !extent.differences)
        rank.largest(0);
    }
    performer.flush_all();
    operations += rank.counters().collective_transfers;
    if (number != 0) return;
    for (int file = 0; file < shape.files; ++file) {
      EXPECT_TRUE(performer.expected().content(file) == job.content(file, program.file_bytes()))
          << "file " << file;
    }
  });
  EXPECT_TRUE(job.all_received()) << "messages were sent that nobody received";
  return interleaving.draws();
}

using Kinds = std::vector<Operation::Kind>;

// Programs in which a rank makes another call than the others more often than in those that are drawn.
Kinds many_differences() {
  using Kind = Operation::Kind;
  return {Kind::one_differs, Kind::put, Kind::one_differs, Kind::get, Kind::one_differs};
}

struct Case {
  const char* name;
  Pace pace;
  int nodes;  // 0: any number
  bool stores_linger, differences;
  Kinds kinds = {};
  std::optional<Difference> difference = {};  // this one alone
  bool workers = false;
  bool common = false;  // slots in common, with workers
  exchange::Transfer transfer = exchange::Transfer::messages;
};

// Between nodes data cross in rounds.
Case in_rounds(Case one, exchange::Transfer way) {
  one.transfer = way;
  return one;
}

// `differences`: the kinds of operations of programs with different calls.
Case with_common_slots(const char* name, Pace pace, int nodes, bool stores_linger,
                       const std::optional<Kinds>& differences = {}) {
  return {name, pace, nodes, stores_linger, differences.has_value(), differences.value_or(Kinds()),
          {},   true, true};
}

using exchange::Transfer;

struct EngineTest : testing::TestWithParam<Case> {};

TEST_P(EngineTest, FilesHoldWhatWasPut) {
  const Case& c = GetParam();
  std::atomic<uint64_t> operations = 0;
  run_drawn([&](uint64_t seed) {
    Drawn drawn(seed);
    const int ranks = static_cast<int>(drawn.between(static_cast<uint64_t>(std::max(1, c.nodes)), 6));
    Shape shape = c.nodes == 0 ? Shape::draw(drawn) : Shape::draw(drawn, ranks, c.nodes);
    shape.workers = c.workers;
    shape.transfer = c.transfer;
    if (c.common) shape.have_common_slots(drawn);
    Program::Extent extent;
    extent.differences = c.differences;
    extent.kinds = c.kinds;
    extent.difference = c.difference;
    return run_one(shape, {seed, c.pace, uint64_t{2} << drawn.below(7), c.stores_linger, c.differences},
                   extent, operations);
  });
  EXPECT_EQ(operations > 0, c.transfer != Transfer::messages);
}

INSTANTIATE_TEST_SUITE_P(
    Drawn, EngineTest,
    testing::Values(
        Case{"OnOneNode", Pace::one_at_a_time, 1, false, false},
        Case{"BetweenNodes", Pace::one_at_a_time, 2, false, false},
        Case{"WithLateStores", Pace::one_at_a_time, 0, true, false},
        Case{"BetweenNodesWithLateStores", Pace::one_at_a_time, 2, true, false},
        Case{"WithDifferentCalls", Pace::one_at_a_time, 0, false, true},
        Case{"WithDifferentCallsOnOneNode", Pace::one_at_a_time, 1, false, true},
        Case{"WithDifferentCallsAndLateStores", Pace::one_at_a_time, 0, true, true},
        Case{"WithDifferentCallsInParallel", Pace::parallel, 0, false, true},
        Case{"WithManyDifferentCallsBetweenNodes", Pace::one_at_a_time, 2, false, true, many_differences()},
        // On one node who skips a call is woken by the others, and wakes them: no nap needs to end.
        Case{"WithSkippedCalls", Pace::one_at_a_time, 1, false, false, many_differences(), Difference::skips},
        Case{"WithSkippedCallsAndLateStores", Pace::one_at_a_time, 1, true, false, many_differences(),
             Difference::skips},
        // An I/O rank makes no call, now and then, until its worker has written all.
        Case{"WithWorkers", Pace::one_at_a_time, 1, false, false, {}, {}, true},
        Case{"WithWorkersAndLateStores", Pace::one_at_a_time, 1, true, false, {}, {}, true},
        Case{"WithWorkersInParallel", Pace::parallel, 1, false, false, {}, {}, true},
        Case{"WithWorkersBetweenNodes", Pace::one_at_a_time, 2, false, false, {}, {}, true},
        Case{"WithWorkersAndManyDifferentCalls",
             Pace::one_at_a_time,
             1,
             false,
             true,
             many_differences(),
             {},
             true},
        // Files use slots that they have in common.
        with_common_slots("WithCommonSlots", Pace::one_at_a_time, 1, false),
        with_common_slots("WithCommonSlotsAndLateStores", Pace::one_at_a_time, 1, true),
        with_common_slots("WithCommonSlotsInParallel", Pace::parallel, 1, false),
        with_common_slots("WithCommonSlotsAndDifferentCalls", Pace::one_at_a_time, 1, false, Kinds()),
        with_common_slots("WithCommonSlotsAndManyDifferentCalls", Pace::one_at_a_time, 1, false,
                          many_differences()),
        with_common_slots("WithCommonSlotsBetweenNodes", Pace::one_at_a_time, 2, false),
        with_common_slots("WithCommonSlotsBetweenNodesAndLateStores", Pace::one_at_a_time, 2, true),
        with_common_slots("WithCommonSlotsBetweenNodesInParallel", Pace::parallel, 3, false),
        with_common_slots("WithCommonSlotsAndDifferentCallsBetweenNodes", Pace::one_at_a_time, 2, false,
                          many_differences()),
        with_common_slots("WithCommonSlotsDifferentCallsAndLateStoresOnThreeNodes", Pace::one_at_a_time, 3,
                          true, many_differences()),
        in_rounds({"InRounds", Pace::one_at_a_time, 3, false, false}, Transfer::all_to_all),
        in_rounds({"InRoundsOfNeighborsWithLateStores", Pace::one_at_a_time, 3, true, false},
                  Transfer::neighbors),
        in_rounds({"InRoundsInParallel", Pace::parallel, 3, false, false}, Transfer::neighbors),
        in_rounds({"InRoundsWithManyDifferentCalls", Pace::one_at_a_time, 2, false, true, many_differences()},
                  Transfer::all_to_all),
        in_rounds(with_common_slots("InRoundsWithCommonSlots", Pace::one_at_a_time, 2, false),
                  Transfer::all_to_all),
        in_rounds(with_common_slots("InRoundsWithCommonSlotsAndDifferentCalls", Pace::one_at_a_time, 3, false,
                                    many_differences()),
                  Transfer::neighbors),
        in_rounds({"InRoundsWithDifferentCalls", Pace::one_at_a_time, 3, false, true}, Transfer::neighbors),
        in_rounds({"InRoundsWithWorkers", Pace::one_at_a_time, 3, false, false, {}, {}, true},
                  Transfer::all_to_all),
        in_rounds(with_common_slots("InRoundsWithCommonSlotsAndLateStores", Pace::one_at_a_time, 3, true),
                  Transfer::neighbors),
        in_rounds(with_common_slots("InRoundsWithCommonSlotsDifferentCallsAndLateStores", Pace::one_at_a_time,
                                    2, true, many_differences()),
                  Transfer::all_to_all),
        Case{"InParallel", Pace::parallel, 0, false, false}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace scorpio::test
