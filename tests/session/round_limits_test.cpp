// The units that end a placement round.
#include "session/state/round_limits.h"

#include <gtest/gtest.h>

namespace scorpio::session {
namespace {

constexpr uint64_t k_mib = uint64_t{1} << 20;

// A round has several blocks of each I/O rank, and memory has room for four of them.
TEST(RoundLimits, FollowTheMemoryOfChunks) {
  const RoundLimits usual = round_limits(64 * k_mib, k_mib, 3);
  EXPECT_EQ(usual.closes, 12u);  // 4 MiB of each I/O rank
  EXPECT_EQ(usual.most_bytes, 64 * k_mib);
  EXPECT_EQ(usual.most_rounds, 16u);

  const RoundLimits little = round_limits(8 * k_mib, k_mib, 3);
  EXPECT_EQ(little.closes, 6u);  // a quarter of the memory
  EXPECT_EQ(little.most_rounds, 4u);

  const RoundLimits less_than_a_unit = round_limits(k_mib, k_mib, 3);
  EXPECT_EQ(less_than_a_unit.closes, 3u);
  EXPECT_EQ(less_than_a_unit.most_rounds, 1u);
}

}  // namespace
}  // namespace scorpio::session
