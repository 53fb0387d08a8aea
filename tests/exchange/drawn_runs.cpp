#include "exchange/drawn_runs.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace scorpio::test {

namespace {

constexpr uint64_t k_draws = 100000;

uint64_t number_from(const char* variable, uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace

bool run_drawn(const std::function<uint64_t(uint64_t seed)>& run) {
  const uint64_t wanted = number_from("SCORPIO_DRAWS", k_draws), repeated = number_from("SCORPIO_SEED", 0);
  uint64_t draws = 0, runs = 0;
  const uint64_t first = repeated == 0 ? number_from("SCORPIO_FIRST_SEED", 1) : repeated;
  for (uint64_t seed = first; draws < wanted && !testing::Test::HasFailure(); ++seed) {
    draws += run(seed);
    ++runs;
    if (testing::Test::HasFailure()) ADD_FAILURE() << "SCORPIO_SEED=" << seed << " repeats it";
    if (repeated != 0) break;
  }
  std::printf("%llu draws in %llu runs\n", static_cast<unsigned long long>(draws),
              static_cast<unsigned long long>(runs));
  return repeated == 0 && !testing::Test::HasFailure();
}

}  // namespace scorpio::test
