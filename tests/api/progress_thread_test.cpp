// Option progress_thread: data cross between nodes while no rank makes a call. With 3 ranks on 3 nodes, with
// MPI_THREAD_MULTIPLE or without it (environment TEST_WITH_MPI_THREADS).
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <thread>

#include "layout.h"
#include "session.h"
#include "support/time_of_others.h"

namespace scorpio::api_test {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr int64_t k_progress_rows = 24, k_progress_columns = 16384;  // 3 MiB of float64
constexpr uint64_t k_progress_bytes = k_progress_rows * k_progress_columns * sizeof(double);

bool mpi_has_threads() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

Settings with_progress(const std::string& value, const Settings& more = {}) {
  Settings all{{"asynchronous", "true"}, {"progress_thread", value}, {"staging_bytes", "64m"},
               {"block_bytes", "64k"},   {"io_ranks", "1"},          {"format", "cdf5"}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

int threads_of_process() {
  const fs::directory_iterator all("/proc/self/task");
  return static_cast<int>(std::distance(begin(all), end(all)));
}

// A file with two variables, of which each rank has its rows.
class Rows {
 public:
  Rows(const System& system, const std::string& path)
      : path_(path),
        dims_{k_progress_rows, k_progress_columns},
        rows_(system, uniform_layout({dims_[0], dims_[1]}, ranks_in())),
        mine_(static_cast<size_t>(k_progress_rows / ranks_in() * k_progress_columns)) {
    std::iota(mine_.begin(), mine_.end(), 1e6 * rank_in());
    EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    for (const int i : {0, 1})
      EXPECT_SUCCESS(
          scorpio_variable_define(file_, i == 0 ? "first" : "second", SCORPIO_FLOAT64, 2, dims_, &ids_[i]));
    EXPECT_SUCCESS(scorpio_define_end(file_));
  }
  int put(int i) { return scorpio_put_darray(file_, ids_[i], rows_.get(), 0, SCORPIO_FLOAT64, mine_.data()); }
  // The I/O rank, which waits for nobody, has left its put when the others make theirs.
  void put_after_the_io_rank(int i) {
    EXPECT_EQ(SCORPIO_OK, rank_in() == 0 ? put(i) : SCORPIO_OK) << last_text();
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(SCORPIO_OK, rank_in() == 0 ? SCORPIO_OK : put(i)) << last_text();
  }
  void expect_holds(int i) {
    std::vector<double> back(mine_.size());
    EXPECT_SUCCESS(scorpio_get_darray(file_, ids_[i], rows_.get(), 0, SCORPIO_FLOAT64, back.data()));
    EXPECT_TRUE(mine_ == back);
  }
  int sync() { return scorpio_file_sync(file_); }
  int close() { return scorpio_file_close(file_); }
  uint64_t bytes_there() const {
    std::error_code none;
    const auto size = fs::file_size(path_ + ".scorpio-tmp", none);
    return none ? 0 : static_cast<uint64_t>(size);
  }
  // Whether so many bytes come to be there, while this rank calls neither the library nor MPI; for 20 s.
  bool grows_to(uint64_t bytes) const {
    for (int i = 0; i < 2000 && bytes_there() < bytes; ++i) std::this_thread::sleep_for(10ms);
    return bytes_there() >= bytes;
  }

 private:
  std::string path_;
  const int64_t dims_[2];
  const Decomp rows_;
  std::vector<double> mine_;
  scorpio_file* file_ = nullptr;
  int ids_[2] = {-1, -1};
};

class ProgressThread : public testing::Test {
 protected:
  void SetUp() override {
    if (!mpi_has_threads()) GTEST_SKIP() << "needs MPI_THREAD_MULTIPLE";
  }
  const TemporaryFolder folder_;
};

// Half of the first variable is more than the I/O rank has of it.
TEST_F(ProgressThread, SlotsReachTheirIoRankAndAreWrittenWhileNoCallIsMade) {
  for (const char* transfer : {"messages", "alltoall", "neighbor"}) {
    for (const char* value : {"false", "true"}) {
      const System system(with_progress(value, {{"transfer", transfer}}));
      Rows rows(system, folder_ / "f.nc");
      rows.put_after_the_io_rank(0);
      if (value == std::string("true")) {
        EXPECT_TRUE(rows.grows_to(k_progress_bytes / 2)) << transfer << ": " << rows.bytes_there();
      } else {
        std::this_thread::sleep_for(100ms);
        EXPECT_GT(k_progress_bytes / 2, rows.bytes_there()) << "the I/O rank has made no call since";
      }
      on_all(true);
      EXPECT_SUCCESS(rows.put(1));
      for (const int i : {0, 1}) rows.expect_holds(i);
      EXPECT_SUCCESS(rows.close());
    }
  }
}

TEST_F(ProgressThread, EachIoSystemHasItsOwn) {
  const System first(with_progress("true")), second(with_progress("true"));
  Rows one(first, folder_ / "one.nc"), two(second, folder_ / "two.nc");
  one.put_after_the_io_rank(0);
  two.put_after_the_io_rank(0);
  for (const Rows* rows : {&one, &two}) EXPECT_TRUE(rows->grows_to(k_progress_bytes / 2));
  on_all(true);
  for (Rows* rows : {&two, &one}) {
    rows->expect_holds(0);
    EXPECT_SUCCESS(rows->put(1));
    EXPECT_SUCCESS(rows->close());
  }
}

TEST_F(ProgressThread, AFailureIsToldAtTheNextSynchronisationPoint) {
  const System system(with_progress("true", {{"store_faults", "write:2=ENOSPC"}}));
  Rows rows(system, folder_ / "f.nc");
  rows.put_after_the_io_rank(0);
  std::this_thread::sleep_for(50ms);
  EXPECT_SUCCESS(rows.put(1));
  EXPECT_EQ(SCORPIO_ERR_NO_SPACE, rows.sync());
  EXPECT_TRUE(equal_on_all(last_text()));
  EXPECT_EQ(SCORPIO_ERR_NO_SPACE, rows.close());
  Rows next(system, folder_ / "f.nc");
  next.put_after_the_io_rank(0);
  EXPECT_SUCCESS(next.put(1));
  EXPECT_SUCCESS(next.close());
}

TEST_F(ProgressThread, IsDescribedAndEndsWithItsIoSystem) {
  const int before = threads_of_process();
  {
    const System system(with_progress("true"));
    EXPECT_LT(before, threads_of_process());
    EXPECT_NE(
        std::string::npos,
        system.describe().find("progress_thread = true (API); in force: true: 3 of 3 ranks have one, on "
                               "the CPUs of worker_cpus\n"))
        << system.describe();
    EXPECT_NE(std::string::npos, system.describe().find("worker_cpus = free (default); in force: "));
    EXPECT_SUCCESS(scorpio_progress(system.get()));
  }
  EXPECT_EQ(before, threads_of_process());
  const OptionList impossible(with_progress("true", {{"worker_cpus", "1023"}}));
  scorpio_iosystem* none = nullptr;
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_create(MPI_COMM_WORLD, impossible.get(), &none));
  EXPECT_EQ(before, threads_of_process());
  const System one_node(with_progress("true", {{"nodes", "1"}, {"asynchronous", "false"}}));
  EXPECT_EQ(before, threads_of_process());
  EXPECT_NE(std::string::npos,
            one_node.describe().find("in force: false, because no data cross between nodes"))
      << one_node.describe();
}

#if !defined(__SANITIZE_THREAD__)
// With a file that is open, and in which everything has been written.
TEST_F(ProgressThread, UsesNoTimeWhileNothingIsLeft) {
  const System system(with_progress("true"));
  Rows rows(system, folder_ / "f.nc");
  EXPECT_SUCCESS(rows.put(0));
  EXPECT_SUCCESS(rows.sync());
  const double before = test::seconds_of_others();
  std::this_thread::sleep_for(2s);
  EXPECT_GT(0.001, test::seconds_of_others() - before);
  on_all(true);
  EXPECT_SUCCESS(rows.close());
}
#endif

// All levels below are refused alike: what is needed does not depend on the file.
TEST(ProgressThreadWithoutMpiThreads, IsRefusedOnAllRanks) {
  if (mpi_has_threads()) GTEST_SKIP() << "MPI allows it";
  const int before = threads_of_process();
  const OptionList options(with_progress("true"));
  scorpio_iosystem* system = nullptr;
  EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &system));
  EXPECT_EQ(nullptr, system);
  EXPECT_TRUE(equal_on_all(last_text()));
  for (const char* text : {"option progress_thread = true needs MPI_THREAD_MULTIPLE", "MPI_THREAD_SINGLE",
                           "MPI_Init_thread", "scorpio_progress()"})
    EXPECT_NE(std::string::npos, last_text().find(text)) << last_text();
  EXPECT_EQ(before, threads_of_process());
  const System one_node(with_progress("true", {{"nodes", "1"}}));
  const System without(with_progress("false"));
}

}  // namespace
}  // namespace scorpio::api_test
