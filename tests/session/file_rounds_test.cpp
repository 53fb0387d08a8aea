// The placement rounds of a file on every rank: where they are in use, the units that end a round, and ranks
// that have no rounds.
#include "session/state/file_rounds.h"

#include <gtest/gtest.h>

#include <vector>

#include "session/parts.h"

namespace scorpio::test {
namespace {

using session::FileRounds;
using session::round_limits;
using session::RoundLimits;

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

class FileRoundsTest : public PartsTest {};

// All ranks know alike whether there are rounds. Those that have none have nothing to do for them.
TEST_P(FileRoundsTest, AreInUseWhereWorkersWriteTheFile) {
  job_.run([&](ThreadSystem& system) {
    for (const bool asynchronous : {true, false}) {
      const auto file =
          created<CoreAlone>(system, options({{"asynchronous", asynchronous ? "true" : "false"}}));
      FileRounds& rounds = file->core->transfer.rounds();
      EXPECT_EQ(asynchronous, rounds.in_use());
      rounds.after_operation();
      rounds.end();
      EXPECT_TRUE(rounds.encode().ok());
      EXPECT_FALSE(rounds.under_way());
      rounds.place();
      EXPECT_TRUE(rounds.advance());
      rounds.stop();
      rounds.begin_again();
      drop(*file->core);
    }
    if (std::string_view(GetParam().format) != "hdf5") return;
    const auto file = created<CoreAlone>(system, options({{"asynchronous", "true"}, {"eager", "true"}}));
    EXPECT_FALSE(file->core->transfer.rounds().in_use());
    drop(*file->core);
  });
}

INSTANTIATE_TEST_SUITE_P(All, FileRoundsTest, testing::ValuesIn(cases({"hdf5", "cdf5"})), name_of);

}  // namespace
}  // namespace scorpio::test
