// The placement rounds of a file on every rank: where they are in use, and ranks that have no rounds.
#include "session/state/file_rounds.h"

#include <gtest/gtest.h>

#include <string_view>

#include "session/parts.h"

namespace scorpio::test {
namespace {

using session::FileRounds;

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
