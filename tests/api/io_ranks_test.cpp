// Which ranks do I/O: by number, stride and base, or by list; and limits from outside that a small I/O system
// cannot meet.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "session.h"

namespace scorpio::api_test {
namespace {

int mine(const System& system) {
  int count = 0, place = -2;
  EXPECT_SUCCESS(scorpio_iosystem_io_ranks(system.get(), &count, &place));
  return place;
}

bool says(const System& system, const std::string& what) {
  return system.describe().find(what) != std::string::npos;
}

class IoRanks : public testing::Test {
 protected:
  const TemporaryFolder folder_;

  // Writes and reads an array whose rows the ranks hold evenly.
  void round_trip(const System& system, MPI_Comm comm, const std::string& path) {
    const int64_t dims[2] = {97, 41};
    scorpio_decomp* rows = nullptr;
    ASSERT_SUCCESS(scorpio_decomp_uniform(system.get(), 2, dims, &rows));
    int64_t n = 0;
    EXPECT_SUCCESS(scorpio_decomp_local_elements(rows, &n));
    std::vector<double> data(static_cast<size_t>(n));
    std::iota(data.begin(), data.end(), 1e6 * rank_in(comm));
    scorpio_file* file = nullptr;
    int id = -1;
    ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 2, dims, &id));
    EXPECT_SUCCESS(scorpio_put_darray(file, id, rows, 0, SCORPIO_FLOAT64, data.data()));
    EXPECT_SUCCESS(scorpio_file_close(file));
    std::vector<double> read(data.size(), -1);
    ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_find(file, "v", &id));
    EXPECT_SUCCESS(scorpio_get_darray(file, id, rows, 0, SCORPIO_FLOAT64, read.data()));
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_SUCCESS(scorpio_decomp_free(rows));
    EXPECT_EQ(data, read);
  }
};

TEST_F(IoRanks, NumberFromTheEnvironmentIsAnUpperBound) {
  const EnvironmentVariable variable("SCORPIO_IO_RANKS", std::to_string(ranks_in() + 1));
  const System all;
  EXPECT_EQ(ranks_in(), all.io_ranks());
  EXPECT_TRUE(says(all, "in force: " + std::to_string(ranks_in()) + "\n")) << all.describe();
  round_trip(all, MPI_COMM_WORLD, folder_ / "all.h5");
  const System own({}, MPI_COMM_SELF);
  EXPECT_EQ(1, own.io_ranks());
  EXPECT_TRUE(says(own, "note: option io_ranks = ")) << own.describe();
  round_trip(own, MPI_COMM_SELF, folder_ / ("own" + std::to_string(rank_in()) + ".h5"));
}

// The way in which data are exchanged does not change the part of any rank.
TEST_F(IoRanks, SameOnesWhereDataGoByMessages) {
  for (const Settings& common :
       {Settings{}, Settings{{"nodes", "2"}},
        Settings{{"io_ranks_per_node", std::to_string(std::min(2, ranks_in()))}},
        Settings{{"nodes", "3"}, {"io_ranks", std::to_string(std::min(2, ranks_in()))}}}) {
    Settings settings = common;
    settings.emplace_back("exchange", "messages");
    const System shared(common), messages(settings);
    EXPECT_EQ(shared.io_ranks(), messages.io_ranks()) << common.size();
    EXPECT_EQ(mine(shared), mine(messages));
    round_trip(messages, MPI_COMM_WORLD, folder_ / "messages.h5");
  }
}

TEST_F(IoRanks, SameNumberFromTheProgramIsAnError) {
  const OptionList options(Settings{{"io_ranks", std::to_string(ranks_in() + 1)}});
  scorpio_iosystem* system = nullptr;
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &system));
}

// Every option that is a number of ranks or bytes, far too large for one rank.
TEST_F(IoRanks, SmallIoSystemsLiveWithAnyNumberFromOutside) {
  for (const auto& settings :
       std::vector<Settings>{{{"IO_RANKS", "64"}},
                             {{"IO_RANKS_PER_NODE", "64"}},
                             {{"IO_PLACEMENT", "groups"}, {"GROUP_SIZE", "64"}},
                             {{"IO_STRIDE", "64"}, {"IO_BASE", "64"}},
                             {{"IO_RANKS", "64"}, {"IO_STRIDE", "64"}, {"IO_BASE", "64"}},
                             {{"IO_RANK_LIST", "64,65,66"}},
                             {{"NODES", "64"}},
                             {{"STAGING_FILES", "64"}},
                             {{"STAGING_BYTES", "1t"}},
                             {{"BLOCK_BYTES", "1g"}, {"STAGING_BYTES", "64k"}}}) {
    std::vector<std::unique_ptr<EnvironmentVariable>> variables;
    for (const auto& [name, value] : settings) {
      variables.push_back(std::make_unique<EnvironmentVariable>("SCORPIO_" + name, value));
    }
    const System own({}, MPI_COMM_SELF);
    EXPECT_EQ(1, own.io_ranks()) << settings[0].first;
    EXPECT_TRUE(says(own, "(environment SCORPIO_" + settings[0].first + ")")) << own.describe();
    round_trip(own, MPI_COMM_SELF, folder_ / ("own" + std::to_string(rank_in()) + ".h5"));
    const System all;
    round_trip(all, MPI_COMM_WORLD, folder_ / "all.h5");
  }
}

TEST_F(IoRanks, MisspeltVariablesAreNotedAndHaveNoEffect) {
  const EnvironmentVariable misspelt("SCORPIO_IO_RANK", "64"), other("SCORPIO_SOURCE_TREE", "x");
  const System system;
  EXPECT_TRUE(
      says(system, "note: environment variable SCORPIO_IO_RANK is not read; did you mean SCORPIO_IO_RANKS?"))
      << system.describe();
  EXPECT_FALSE(says(system, "SCORPIO_SOURCE_TREE")) << system.describe();
  EXPECT_TRUE(says(system, "io_ranks = 0 (default)")) << system.describe();
}

TEST_F(IoRanks, WhereTheNumberIsFromIsAgreed) {
  if (ranks_in() == 1) GTEST_SKIP() << "one rank agrees with itself";
  const std::string number = std::to_string(ranks_in() + 1);
  // Rank 0 says it in the program, the others in the environment: the same value, and an error on all.
  const EnvironmentVariable variable("SCORPIO_IO_RANKS", number);
  const OptionList options(rank_in() == 0 ? Settings{{"io_ranks", number}} : Settings{});
  scorpio_iosystem* system = nullptr;
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &system));
}

TEST_F(IoRanks, StrideAndBaseAsInPio) {
  const int ranks = ranks_in();
  for (const int count : {1, (ranks + 1) / 2, ranks}) {
    for (const int base : {0, ranks - 1}) {
      const System system(
          {{"io_ranks", std::to_string(count)}, {"io_stride", "1"}, {"io_base", std::to_string(base)}});
      ASSERT_EQ(count, system.io_ranks());
      const int place = (rank_in() - base + ranks) % ranks;
      EXPECT_EQ(place < count ? place : -1, mine(system));
      EXPECT_TRUE(says(system, "metadata rank " + std::to_string(base) + "\n")) << system.describe();
      round_trip(system, MPI_COMM_WORLD, folder_ / "stride.h5");
    }
  }
}

// In any order, on one node and on several.
TEST_F(IoRanks, ListKeepsItsOrderAndItsFirstWritesTheMetadata) {
  for (const char* nodes : {"1", "3"}) {
    std::vector<int> order(static_cast<size_t>(ranks_in()));
    std::iota(order.begin(), order.end(), 0);
    std::reverse(order.begin(), order.end());
    if (order.size() > 2) std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
    for (const size_t count : {size_t{1}, order.size() / 2 + 1, order.size()}) {
      if (count > order.size()) continue;
      std::string list;
      for (size_t i = 0; i < count; ++i) list += (i == 0 ? "" : ", ") + std::to_string(order[i]);
      const System system(
          {{"io_rank_list", list}, {"nodes", nodes}, {"staging_bytes", "256k"}, {"block_bytes", "512"}});
      ASSERT_EQ(static_cast<int>(count), system.io_ranks());
      const auto at = std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), rank_in());
      const bool there = at != order.begin() + static_cast<std::ptrdiff_t>(count);
      EXPECT_EQ(there ? static_cast<int>(at - order.begin()) : -1, mine(system));
      round_trip(system, MPI_COMM_WORLD, folder_ / "list.h5");
      EXPECT_EQ(rank_in() == order[0], system.counter("metadata_writes") > 0);
    }
  }
}

TEST_F(IoRanks, ContradictionsAreRefusedOnAllRanks) {
  for (const Settings& settings :
       {Settings{{"io_ranks", "1"}, {"io_rank_list", "0"}},
        Settings{{"io_placement", "groups"}, {"io_stride", "1"}},
        Settings{{"io_rank_list", std::to_string(ranks_in())}}, Settings{{"io_base", "1"}}}) {
    const OptionList options(settings);
    scorpio_iosystem* system = nullptr;
    EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &system));
    EXPECT_NE(std::string::npos, last_text().find(settings.back().first)) << last_text();
    EXPECT_EQ(nullptr, system);
  }
}

}  // namespace
}  // namespace scorpio::api_test
