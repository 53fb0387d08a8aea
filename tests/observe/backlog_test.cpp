// The levels of the data that wait to be written, over time.
#include "observe/backlog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace scorpio::observe {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

TEST(Backlog, AddsAndRemoves) {
  Backlog backlog;
  backlog.add(100);
  backlog.add(50);
  backlog.add_image(7);
  EXPECT_EQ(2u, backlog.now().slots);
  EXPECT_EQ(150u, backlog.now().bytes);
  EXPECT_EQ(7u, backlog.now().image_bytes);
  backlog.remove(2, 150);
  backlog.remove_image(7);
  EXPECT_EQ(0u, backlog.now().slots + backlog.now().bytes + backlog.now().image_bytes);
  EXPECT_TRUE(backlog.samples().empty()) << "it was not sampled";
}

TEST(Backlog, ASampleIsTheLargestLevelOfItsInterval) {
  Backlog backlog;
  const auto begin = Clock::now();
  backlog.add(100);
  backlog.add(50);
  backlog.sample(begin + 1ms);
  backlog.remove(1, 100);
  backlog.sample(begin + 2ms);
  backlog.sample(begin + 55ms);
  const auto samples = backlog.samples();
  ASSERT_EQ(2u, samples.size());
  EXPECT_EQ(0, samples[0].seconds);
  EXPECT_EQ(2u, samples[0].most.slots);
  EXPECT_EQ(150u, samples[0].most.bytes);
  EXPECT_NEAR(0.05, samples[1].seconds, 0.011);
  EXPECT_EQ(1u, samples[1].most.slots);
}

// A run of any length is covered by a number of samples that is bounded, and no peak is lost.
TEST(Backlog, LongRunsHaveLongerIntervals) {
  Backlog backlog;
  const auto begin = Clock::now();
  uint64_t most = 0;
  for (uint64_t i = 1; i <= 1000; ++i) {
    const uint64_t bytes = i == 500 ? 1000000 : i;
    backlog.add(bytes);
    backlog.sample(begin + i * 1s);
    backlog.remove(1, bytes);
  }
  const auto samples = backlog.samples();
  EXPECT_LE(samples.size(), Backlog::k_samples);
  EXPECT_GE(samples.size(), Backlog::k_samples / 4);
  for (size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(1u, samples[i].most.slots);
    EXPECT_TRUE(i == 0 || samples[i - 1].seconds < samples[i].seconds);
    EXPECT_TRUE(samples[i].most.bytes != 1000000 || std::abs(samples[i].seconds - 500) < 11);
    most = std::max(most, samples[i].most.bytes);
  }
  EXPECT_EQ(1000000u, most);
  EXPECT_GT(samples.back().seconds, 980);
}

}  // namespace
}  // namespace scorpio::observe
