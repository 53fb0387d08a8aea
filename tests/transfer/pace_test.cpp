// The rate at which a worker writes a file.
#include "exchange/io_phase/pace.h"

#include <gtest/gtest.h>

namespace scorpio::exchange {
namespace {

using namespace std::chrono_literals;
using Clock = Pace::Clock;

TEST(Pace, WithoutALimitAPartIsDueAtOnce) {
  Pace pace;
  const auto now = Clock::now();
  EXPECT_TRUE(pace.takes_more(uint64_t{1} << 62));
  pace.wrote(uint64_t{1} << 62, now);
  EXPECT_EQ(Clock::time_point(), pace.due());
}

// Parts of any size, each written some time after it is due.
TEST(Pace, TheLimitIsKeptWithinAPart) {
  constexpr uint64_t k_rate = 1000000;
  for (const uint64_t bytes : {1000u, 50000u, 3000000u}) {
    for (const auto late : {0ms, 1ms, 60ms}) {
      Pace pace;
      pace.set({.priority = 0, .bytes_per_s = k_rate});
      const auto start = Clock::now();
      auto now = start;
      uint64_t written = 0;
      while (written < 20 * k_rate) {
        pace.wrote(bytes, now);
        written += bytes;
        now = std::max(now, pace.due() + late);
      }
      const double seconds = std::chrono::duration<double>(now - start).count();
      EXPECT_NEAR(static_cast<double>(written) / k_rate, seconds, 0.2) << bytes << " " << late.count();
    }
  }
}

// What is due when a file was not written is not made up for without a limit.
TEST(Pace, AFileThatWasNotWrittenMakesUpForAPartOnly) {
  Pace pace;
  pace.set({.priority = 0, .bytes_per_s = 1000});
  const auto now = Clock::now();
  pace.wrote(1000, now);
  EXPECT_EQ(now + 1s - Pace::k_part_time, pace.due());
  pace.wrote(1000, now + 1h);
  EXPECT_EQ(now + 1h + 1s - Pace::k_part_time, pace.due());
}

TEST(Pace, APartIsWhatTheLimitAllowsInItsTime) {
  Pace pace;
  pace.set({.priority = 0, .bytes_per_s = 1000});
  EXPECT_TRUE(pace.takes_more(99));
  EXPECT_FALSE(pace.takes_more(100));
  pace.set({.priority = 0, .bytes_per_s = 1});
  pace.wrote(~uint64_t{0}, Clock::now());
  EXPECT_LT(Clock::now() + 24h, pace.due()) << "no overflow";
}

}  // namespace
}  // namespace scorpio::exchange
