// Wrong calls of one rank or of all ranks: every rank gets the same result, no rank waits for ever, and later
// calls work.
#include "layout.h"
#include "reference.h"
#include "stock_reader.h"

namespace scorpio::api_test {
namespace {

class Errors : public testing::TestWithParam<const char*> {
 protected:
  Errors() : system_({{"staging_bytes", "64k"}, {"block_bytes", "512"}, {"nodes", GetParam()}}) {}

  scorpio_file* create(const std::string& name, int* variable) {
    scorpio_file* file = nullptr;
    const int64_t dims[1] = {k_each * ranks_in()};
    EXPECT_SUCCESS(
        scorpio_file_create(system_.get(), (folder_ / name).c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, dims, variable));
    return file;
  }
  // The same failure on all ranks.
  void expect_failure(int code, int got) {
    EXPECT_EQ(code, got) << last_text();
    EXPECT_TRUE(equal_on_all(last_text())) << last_text();
    EXPECT_TRUE(equal_on_all(std::to_string(last_origin()))) << last_origin();
  }
  // A new file that is created after the failure holds the data that are put to it.
  void expect_next_file_works() {
    for (const char* name : {"next1", "next2"}) {
      int variable = -1;
      scorpio_file* file = create(name, &variable);
      std::mt19937_64 random(31);
      const Layout layout = random_layout({k_each * ranks_in()}, ranks_in(), random);
      const Decomp decomp(system_, layout);
      Reference<int32_t> reference(layout.dims);
      EXPECT_SUCCESS(put<int32_t>(file, variable, decomp, layout, 8, rank_in()));
      reference.put(layout, 8);
      expect_part(file, variable, decomp, layout, reference, rank_in());
      EXPECT_SUCCESS(scorpio_file_close(file));
      if (rank_in() == 0) {
        EXPECT_EQ(reference.elements(), stock_elements<int32_t>(folder_ / name, "/v"));
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  bool culprit() const { return rank_in() == ranks_in() - 1; }

  static constexpr int64_t k_each = 5000;
  const TemporaryFolder folder_;
  const System system_;
};

INSTANTIATE_TEST_SUITE_P(OnNodes, Errors, testing::Values("0", "2", "3"));

TEST_P(Errors, BufferMissingOnOneRank) {
  int variable = -1;
  scorpio_file* file = create("file.h5", &variable);
  const Layout layout = uniform_layout({k_each * ranks_in()}, ranks_in());
  const Decomp decomp(system_, layout);
  const std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), 1);
  EXPECT_EQ(
      culprit() ? SCORPIO_ERR_ARGUMENT : SCORPIO_OK,
      scorpio_put_darray(file, variable, decomp.get(), 0, SCORPIO_INT32, culprit() ? nullptr : data.data()));
  expect_failure(SCORPIO_ERR_ARGUMENT, scorpio_file_sync(file));
  EXPECT_EQ(ranks_in() - 1, last_origin());
  (void)scorpio_file_close(file);
  expect_next_file_works();
}

// Nobody wants what is read: the slots are filled all the same, and used again.
TEST_P(Errors, BufferMissingOnAllRanksOfAGet) {
  int variable = -1;
  scorpio_file* file = create("file.h5", &variable);
  const Layout layout = uniform_layout({k_each * ranks_in()}, ranks_in());
  const Decomp decomp(system_, layout);
  Reference<int32_t> reference(layout.dims);
  EXPECT_SUCCESS(put<int32_t>(file, variable, decomp, layout, 3, rank_in()));
  reference.put(layout, 3);
  for (int i = 0; i < 3; ++i) {
    expect_failure(SCORPIO_ERR_ARGUMENT,
                   scorpio_get_darray(file, variable, decomp.get(), 0, SCORPIO_INT32, nullptr));
    expect_part(file, variable, decomp, layout, reference, rank_in());
  }
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST_P(Errors, TypeThatCannotBeConvertedOnOneRank) {
  int variable = -1;
  scorpio_file* file = create("file.h5", &variable);
  const Layout layout = uniform_layout({k_each * ranks_in()}, ranks_in());
  const Decomp decomp(system_, layout);
  const std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), 1);
  EXPECT_EQ(culprit() ? SCORPIO_ERR_TYPE : SCORPIO_OK,
            scorpio_put_darray(file, variable, decomp.get(), 0, culprit() ? SCORPIO_TEXT : SCORPIO_INT32,
                               data.data()));
  expect_failure(SCORPIO_ERR_TYPE, scorpio_file_close(file));
  expect_next_file_works();
}

TEST_P(Errors, AnotherVariableOnOneRank) {
  int variable = -1;
  scorpio_file* file = create("file.h5", &variable);
  const Layout layout = uniform_layout({k_each * ranks_in()}, ranks_in());
  const Decomp decomp(system_, layout);
  for (uint64_t call = 0; call < 3; ++call) {
    (void)put<int32_t>(file, call == 1 && culprit() ? 77 : variable, decomp, layout, call, rank_in());
  }
  expect_failure(SCORPIO_ERR_HANDLE, scorpio_file_sync(file));
  (void)scorpio_file_close(file);
  expect_next_file_works();
}

TEST_P(Errors, ShapeThatFitsNoRank) {
  int variable = -1;
  scorpio_file* file = create("file.h5", &variable);
  const Layout other = uniform_layout({7}, ranks_in());
  EXPECT_EQ(SCORPIO_ERR_SHAPE, put<int32_t>(file, variable, Decomp(system_, other), other, 1, rank_in()));
  expect_failure(SCORPIO_ERR_SHAPE, scorpio_file_close(file));
  expect_next_file_works();
}

TEST_P(Errors, GetWithAnIdThatDoesNotExistTellsAndGoesOn) {
  int variable = -1;
  scorpio_file* file = create("file.h5", &variable);
  const Layout layout = uniform_layout({k_each * ranks_in()}, ranks_in());
  const Decomp decomp(system_, layout);
  std::vector<int32_t> data = data_of<int32_t>(layout, rank_in(), 1);
  expect_failure(SCORPIO_ERR_HANDLE,
                 scorpio_get_darray(file, 99, decomp.get(), 0, SCORPIO_INT32, data.data()));
  (void)scorpio_file_close(file);
  expect_next_file_works();
}

TEST_P(Errors, DefinitionsThatDiffer) {
  if (ranks_in() == 1) GTEST_SKIP() << "needs two ranks";
  int variable = -1;
  scorpio_file* file = create("file.h5", &variable);
  EXPECT_SUCCESS(scorpio_group_define(file, culprit() ? "one" : "another", nullptr));
  expect_failure(SCORPIO_ERR_MISMATCH, scorpio_file_sync(file));
  EXPECT_EQ(ranks_in() - 1, last_origin());
  (void)scorpio_file_close(file);
  expect_next_file_works();
}

TEST_P(Errors, ArgumentsOfCollectiveCallsThatDiffer) {
  if (ranks_in() == 1) GTEST_SKIP() << "needs two ranks";
  scorpio_file* file = nullptr;
  const std::string path = folder_ / (culprit() ? "b" : "a");
  expect_failure(SCORPIO_ERR_MISMATCH,
                 scorpio_file_create(system_.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_EQ(nullptr, file);
  scorpio_decomp* decomp = nullptr;
  const int64_t dims[1] = {culprit() ? 10 : 11};
  expect_failure(SCORPIO_ERR_MISMATCH, scorpio_decomp_uniform(system_.get(), 1, dims, &decomp));
  const Settings settings{{"durable", culprit() ? "true" : "false"}};
  const OptionList options(settings);
  scorpio_iosystem* other = nullptr;
  expect_failure(SCORPIO_ERR_MISMATCH, scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &other));
  EXPECT_EQ(nullptr, other);
  expect_next_file_works();
}

TEST_P(Errors, DecompositionsThatLeaveTheArray) {
  scorpio_decomp* decomp = nullptr;
  const int64_t dims[1] = {10}, start[1] = {culprit() ? 8 : 0}, count[1] = {culprit() ? 3 : 1};
  expect_failure(SCORPIO_ERR_SHAPE, scorpio_decomp_block(system_.get(), 1, dims, start, count, &decomp));
  EXPECT_EQ(ranks_in() - 1, last_origin());
  expect_failure(SCORPIO_ERR_SHAPE, scorpio_decomp_rows(system_.get(), 1, dims, culprit() ? 11 : 0, &decomp));
  const int64_t index[1] = {culprit() ? 10 : 0};
  expect_failure(SCORPIO_ERR_SHAPE, scorpio_decomp_map(system_.get(), 1, dims, 1, index, &decomp));
  expect_failure(SCORPIO_ERR_ARGUMENT,
                 scorpio_decomp_map(system_.get(), 1, dims, culprit() ? 1 : 0, nullptr, &decomp));
  EXPECT_EQ(nullptr, decomp);
}

TEST_P(Errors, FilesThatAreNotThere) {
  scorpio_file* file = nullptr;
  expect_failure(SCORPIO_ERR_NOT_FOUND,
                 scorpio_file_open(system_.get(), (folder_ / "none").c_str(), SCORPIO_READ, nullptr, &file));
  expect_failure(SCORPIO_ERR_NOT_FOUND, scorpio_file_create(system_.get(), (folder_ / "none/x").c_str(),
                                                            SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  expect_failure(SCORPIO_ERR_ARGUMENT,
                 scorpio_file_create(system_.get(), nullptr, SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  EXPECT_EQ(nullptr, file);
  EXPECT_EQ(0, folder_.files());
  expect_next_file_works();
}

TEST_P(Errors, WritesThatTheFileSystemRefuses) {
  {
    const System faulty({{"staging_bytes", "64k"},
                         {"block_bytes", "512"},
                         {"nodes", GetParam()},
                         {"store_faults", "write:2+=ENOSPC"}});
    scorpio_file* file = nullptr;
    const Layout layout = uniform_layout({20 * k_each * ranks_in()}, ranks_in());
    const Decomp decomp(faulty, layout);
    int variable = -1;
    EXPECT_SUCCESS(scorpio_file_create(faulty.get(), (folder_ / "full").c_str(), SCORPIO_FORMAT_DEFAULT,
                                       nullptr, &file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, layout.dims.data(), &variable));
    (void)put<int32_t>(file, variable, decomp, layout, 1, rank_in());
    expect_failure(SCORPIO_ERR_NO_SPACE, scorpio_file_sync(file));
    (void)scorpio_file_close(file);
    EXPECT_EQ(0, folder_.files());
  }
  expect_next_file_works();
}

TEST_P(Errors, NullHandles) {
  int variable = -1;
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_file_sync(nullptr));
  EXPECT_EQ(SCORPIO_OK, scorpio_file_close(nullptr));
  EXPECT_EQ(SCORPIO_OK, scorpio_iosystem_free(nullptr));
  EXPECT_EQ(SCORPIO_OK, scorpio_decomp_free(nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_variable_find(nullptr, "v", &variable));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_put_darray(nullptr, 0, nullptr, 0, SCORPIO_INT8, nullptr));
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_create(MPI_COMM_WORLD, nullptr, nullptr));
}

TEST(Communicators, OfTwoGroupsAreRefused) {
  if (ranks_in() == 1) GTEST_SKIP() << "for several ranks";
  const int first = rank_in() == 0 ? 1 : 0;
  MPI_Comm part = MPI_COMM_NULL, both = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, first, rank_in(), &part);
  MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, first, 0, &both);
  scorpio_iosystem* system = nullptr;
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_create(both, nullptr, &system));
  EXPECT_NE(std::string::npos, last_text().find("intercommunicator")) << last_text();
  EXPECT_EQ(nullptr, system);
  MPI_Comm_free(&both);
  MPI_Comm_free(&part);
}

}  // namespace
}  // namespace scorpio::api_test
