// The engine with ranks that are threads: what is put is in the files, and comes back, however the ranks'
// accesses to shared memory follow each other. SCORPIO_DRAWS says how many of them each test draws at least,
// SCORPIO_SEED repeats one run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "exchange/drawn_program.h"
#include "exchange/engine.h"
#include "exchange/interleaving.h"

namespace scorpio::test {
namespace {

constexpr uint64_t k_draws = 100000;

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Returns how many accesses were drawn.
uint64_t run_one(const Shape& shape, const Draw& draw, bool failures) {
  Program::Extent extent;
  extent.failures = failures;
  const Program program(shape, draw.seed, extent);
  Job job(shape, draw.seed);
  Interleaving interleaving(draw);
  interleaving.run(shape.ranks(), [&](int number) {
    Rank rank(job, number);
    Caller caller;
    Performer performer(rank, program, caller, false);
    for (const Operation& operation : program.operations()) performer.perform(operation);
    performer.flush_all();
    if (number != 0) return;
    for (int file = 0; file < shape.files; ++file) {
      EXPECT_TRUE(performer.expected().content(file) == job.content(file, program.file_bytes()))
          << "file " << file;
    }
  });
  EXPECT_TRUE(job.settled()) << "messages were sent that nobody received";
  return interleaving.draws();
}

struct Case {
  const char* name;
  Pace pace;
  int nodes;  // 0: any number
  bool stores_linger, failures;
};

struct EngineTest : testing::TestWithParam<Case> {};

TEST_P(EngineTest, FilesHoldWhatWasPut) {
  const Case& c = GetParam();
  const uint64_t wanted = number_from("SCORPIO_DRAWS", k_draws), repeated = number_from("SCORPIO_SEED", 0);
  uint64_t draws = 0, runs = 0;
  for (uint64_t seed = repeated == 0 ? 1 : repeated; draws < wanted && !HasFailure(); ++seed, ++runs) {
    Drawn drawn(seed);
    const int ranks = static_cast<int>(drawn.between(static_cast<uint64_t>(std::max(1, c.nodes)), 6));
    const Shape shape = c.nodes == 0 ? Shape::draw(drawn) : Shape::draw(drawn, ranks, c.nodes);
    draws += run_one(shape, {seed, c.pace, uint64_t{2} << drawn.below(7), c.stores_linger}, c.failures);
    if (HasFailure()) ADD_FAILURE() << "SCORPIO_SEED=" << seed << " repeats it";
    if (repeated != 0) break;
  }
  std::printf("%llu draws in %llu runs\n", static_cast<unsigned long long>(draws),
              static_cast<unsigned long long>(runs));
}

INSTANTIATE_TEST_SUITE_P(Drawn, EngineTest,
                         testing::Values(Case{"OnOneNode", Pace::one_at_a_time, 1, false, false},
                                         Case{"BetweenNodes", Pace::one_at_a_time, 2, false, false},
                                         Case{"WithLateStores", Pace::one_at_a_time, 0, true, false},
                                         Case{"WithFailures", Pace::one_at_a_time, 0, false, true},
                                         Case{"InParallel", Pace::parallel, 0, false, false}),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace scorpio::test
