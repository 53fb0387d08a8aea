// Small HDF5 files are small, however they come about, and stay right when they grow.
#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "session.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

constexpr uint64_t k_kilobyte = 1024;

// A variable that is read back by stock HDF5 when the file is closed.
struct Known {
  std::string name;
  int64_t elements;
};

class GrowingFile : public testing::Test {
 protected:
  GrowingFile(const Settings& system, Settings file)
      : system_(system), options_(std::move(file)), path_(folder_ / "a.h5") {}

  void create() {
    const OptionList options(options_);
    ASSERT_SUCCESS(
        scorpio_file_create(system_.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file_));
  }

  void open() {
    const OptionList options(options_);
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), SCORPIO_WRITE, options.get(), &file_));
  }

  // Element i is i + the variable's number.
  void add(int64_t elements) {
    const std::string name = "v" + std::to_string(known_.size());
    const double first = static_cast<double>(known_.size());
    known_.push_back({name, elements});
    int variable = -1;
    ASSERT_SUCCESS(scorpio_variable_define(file_, name.c_str(), SCORPIO_FLOAT64, 1, &elements, &variable));
    ASSERT_SUCCESS(scorpio_attribute_put_text(file_, object_of(file_, name), "units", "m/s"));
    scorpio_decomp* decomp = nullptr;
    int64_t mine = 0;
    ASSERT_SUCCESS(scorpio_decomp_uniform(system_.get(), 1, &elements, &decomp));
    ASSERT_SUCCESS(scorpio_decomp_local_elements(decomp, &mine));
    int64_t before = 0;
    MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank_in() == 0) before = 0;
    std::vector<double> values(static_cast<size_t>(mine));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = first + static_cast<double>(before) + static_cast<double>(i);
    ASSERT_SUCCESS(scorpio_put_darray(file_, variable, decomp, 0, SCORPIO_FLOAT64, values.data()));
    ASSERT_SUCCESS(scorpio_decomp_free(decomp));
  }

  void sync() { ASSERT_SUCCESS(scorpio_file_sync(file_)); }

  // The size of the closed file.
  uint64_t close() {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    for (size_t v = 0; v < known_.size() && rank_in() == 0; ++v) {
      std::vector<double> wanted(static_cast<size_t>(known_[v].elements));
      for (size_t i = 0; i < wanted.size(); ++i) wanted[i] = static_cast<double>(v) + static_cast<double>(i);
      EXPECT_EQ(stock_elements<double>(path_, known_[v].name), wanted) << known_[v].name;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    return from_rank_zero(std::filesystem::file_size(path_));
  }

  const TemporaryFolder folder_;
  const System system_;
  const Settings options_;
  std::string path_;
  scorpio_file* file_ = nullptr;
  std::vector<Known> known_;
};

Settings two_io_ranks() { return {{"io_ranks", std::to_string(std::min(ranks_in(), 2))}}; }

// Parameter: option eager.
class SmallFilesTest : public GrowingFile, public testing::WithParamInterface<const char*> {
 protected:
  SmallFilesTest() : GrowingFile(two_io_ranks(), {{"eager", GetParam()}}) {}
};

TEST_P(SmallFilesTest, AFewSmallVariablesTakeAFewKilobytes) {
  create();
  for (int i = 0; i < 3; ++i) add(10);
  EXPECT_LT(close(), 16 * k_kilobyte);
}

TEST_P(SmallFilesTest, AlsoWithASyncBetweenThem) {
  create();
  for (int i = 0; i < 4; ++i) {
    add(10);
    sync();
  }
  EXPECT_LT(close(), 100 * k_kilobyte);
}

TEST_P(SmallFilesTest, AlsoWhenTheyAreOpenedAgainAndGrow) {
  create();
  add(10);
  (void)close();
  for (int i = 0; i < 3; ++i) {
    open();
    add(10);
    (void)close();
  }
  EXPECT_LT(from_rank_zero(std::filesystem::file_size(path_)), 400 * k_kilobyte);
}

TEST_P(SmallFilesTest, LargeDataCanComeBehindSmallOnesAndSmallOnesBehindLarge) {
  constexpr int64_t k_large = 140000;  // 1.1 MB
  create();
  add(10);
  add(k_large);
  add(10);
  sync();
  add(3);
  add(k_large);
  sync();
  for (int i = 0; i < 20; ++i) add(11);
  (void)close();
  open();
  add(7);
  add(k_large);
  // The first block, two for each large variable, and one for what came at each of the three commits.
  EXPECT_LE(close(), 10 * k_kilobyte * k_kilobyte);
}

TEST_P(SmallFilesTest, ManySmallVariablesCrossTheFirstBlocks) {
  create();
  for (int i = 0; i < 20; ++i) add(8000);  // 64 KB each, 1.3 MB in all
  sync();
  for (int i = 0; i < 20; ++i) add(8001);
  (void)close();
}

INSTANTIATE_TEST_SUITE_P(AtClose, SmallFilesTest, testing::Values("false"));
INSTANTIATE_TEST_SUITE_P(Eager, SmallFilesTest, testing::Values("true"));

struct Listed {
  const char* nodes;
  const char* domains;
  const char* eager;
};

// The last rank is the first I/O rank, and so the metadata rank; all do I/O.
Settings in_reverse(const Listed& listed) {
  std::string ranks;
  for (int rank = ranks_in(); rank-- > 0;) ranks += std::to_string(rank) + (rank > 0 ? "," : "");
  return {{"io_rank_list", ranks}, {"nodes", listed.nodes}, {"domains", listed.domains}};
}

class ListedIoRanksTest : public GrowingFile, public testing::WithParamInterface<Listed> {
 protected:
  ListedIoRanksTest() : GrowingFile(in_reverse(GetParam()), {{"eager", GetParam().eager}}) {}
  // Of the last rank, and of all.
  void expect_writes_of_the_metadata_rank_alone() {
    const uint64_t all = system_.sum("writes");
    if (rank_in() == ranks_in() - 1) {
      EXPECT_GT(system_.counter("writes"), 0u);
      EXPECT_EQ(system_.counter("writes"), all);
    }
    EXPECT_EQ(system_.counter("metadata_writes") > 0, rank_in() == ranks_in() - 1);
  }
};

TEST_P(ListedIoRanksTest, TheMetadataRankWritesAllOfASmallFile) {
  create();
  for (int i = 0; i < 5; ++i) add(1000);
  sync();
  add(1000);
  EXPECT_LT(close(), 200 * k_kilobyte);
  open();
  add(999);
  (void)close();
  expect_writes_of_the_metadata_rank_alone();
}

TEST_P(ListedIoRanksTest, LargeFilesAreWrittenByAll) {
  create();
  add(10);
  add(int64_t{131072} * ranks_in());  // a block for each I/O rank
  add(1000);
  sync();
  add(3);
  (void)close();
  EXPECT_GT(system_.counter("writes"), system_.counter("metadata_writes"));
}

INSTANTIATE_TEST_SUITE_P(Nodes, ListedIoRanksTest,
                         testing::Values(Listed{"1", "cyclic", "false"}, Listed{"2", "cyclic", "false"},
                                         Listed{"2", "contiguous", "false"}, Listed{"2", "cyclic", "true"}));

// Neither data nor metadata wait for the second block.
class LargeBlocksTest : public GrowingFile, public testing::WithParamInterface<const char*> {
 protected:
  LargeBlocksTest() : GrowingFile(two_io_ranks(), {{"eager", GetParam()}, {"block_bytes", "4m"}}) {}
};

TEST_P(LargeBlocksTest, ASmallFileIsSmall) {
  create();
  for (int i = 0; i < 3; ++i) add(10);
  EXPECT_LT(close(), 16 * k_kilobyte);
}

TEST_P(LargeBlocksTest, MetadataOfLargeDataLieBeforeThem) {
  constexpr int64_t k_large = 600000;  // 4.8 MB
  create();
  add(k_large);
  EXPECT_EQ(close(), 4 * k_kilobyte * k_kilobyte + k_large * sizeof(double));
}

INSTANTIATE_TEST_SUITE_P(AtClose, LargeBlocksTest, testing::Values("false"));
INSTANTIATE_TEST_SUITE_P(Eager, LargeBlocksTest, testing::Values("true"));

}  // namespace
}  // namespace scorpio::api_test
