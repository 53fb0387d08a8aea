// Options of files that determine when a worker writes them: priority and bandwidth, by pattern
// (file_options). A store that delays each write stands for a slow file system; what is asserted is an order,
// or a ratio of two times of one run.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <numeric>
#include <thread>

#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int64_t k_rows = 24, k_columns = 16384;  // 3 MiB of float64
constexpr double k_file_mib = 3;

Settings settings(const std::string& rules, const std::string& faults) {
  return {{"asynchronous", "true"}, {"close", "post"},       {"staging_bytes", "16m"},
          {"staging_files", "3"},   {"block_bytes", "64k"},  {"io_ranks", "1"},
          {"format", "cdf5"},       {"file_options", rules}, {"store_faults", faults}};
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Policies : public testing::Test {
 protected:
  // The close is posted.
  void write(const System& system, const std::string& name) {
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(
        scorpio_file_create(system.get(), (folder_ / name).c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
    const int64_t dims[] = {k_rows, k_columns};
    const Decomp rows(system, uniform_layout({k_rows, k_columns}, ranks_in()));
    std::vector<double> mine(static_cast<size_t>(k_rows / ranks_in() * k_columns));
    std::iota(mine.begin(), mine.end(), 1e6 * rank_in());
    int variable = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 2, dims, &variable));
    EXPECT_SUCCESS(scorpio_define_end(file));
    EXPECT_SUCCESS(scorpio_put_darray(file, variable, rows.get(), 0, SCORPIO_FLOAT64, mine.data()));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  // The workers give a new file its name when all is written. scorpio_iosystem_test() is also about files
  // that were closed before.
  bool is_written(const System&, const std::string& name) { return std::filesystem::exists(folder_ / name); }
  void wait_without_pressing(const System& system, const std::string& name) {
    while (!is_written(system, name)) std::this_thread::sleep_for(1ms);
  }

  const TemporaryFolder folder_;
};

// Each write of the history file takes 100 ms; the restart file is put when most of them are to come.
TEST_F(Policies, AFileOfHigherPriorityOvertakes) {
  for (const bool first : {true, false}) {
    const System system(settings(first ? "*.r.* priority=1" : "*.r.* priority=0", "write:1+=100ms"));
    const std::string run = first ? "first" : "last", history = run + ".h0.nc", restart = run + ".r.nc";
    write(system, history);
    write(system, restart);
    wait_without_pressing(system, first ? restart : history);
    EXPECT_FALSE(is_written(system, first ? history : restart));
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  }
}

// The time of a restart file behind queued history, and its time alone: the worker completes what it has
// begun, an eighth of the slots of a file at most.
TEST_F(Policies, ARestartFileIsHardlyDelayedByQueuedHistory) {
  double seconds[2] = {0, 0};
  for (const bool queued : {false, true}) {
    const System system(settings("*.r.* priority=1", "write:1+=100ms"));
    const std::string restart = queued ? "queued.r.nc" : "alone.r.nc";
    if (queued) write(system, "run.h0.nc");
    const auto start = Clock::now();
    write(system, restart);
    wait_without_pressing(system, restart);
    seconds[queued] = seconds_since(start);
    EXPECT_FALSE(queued && is_written(system, "run.h0.nc"));
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  }
  RecordProperty("ratio", std::to_string(seconds[1] / seconds[0]));
  EXPECT_GT(1.5 * seconds[0] + 0.1, seconds[1]);
}

TEST_F(Policies, ABandwidthIsKept) {
  const System system(settings("*.h0.* bandwidth=2m", "write:1000=ENOSPC"));
  const auto start = Clock::now();
  write(system, "run.h0.nc");
  write(system, "run.r.nc");
  wait_without_pressing(system, "run.r.nc");
  EXPECT_FALSE(is_written(system, "run.h0.nc")) << "it does not hold up other files";
  wait_without_pressing(system, "run.h0.nc");
  const double limit_s = k_file_mib / 2;
  EXPECT_LT(0.9 * (limit_s - 0.1), seconds_since(start)) << "a tenth of a second is written at once";
  RecordProperty("ratio", std::to_string(seconds_since(start) / limit_s));
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
}

// With a limit of a byte in a second no file would ever be complete.
TEST_F(Policies, WhoWaitsLiftsTheLimit) {
  const Settings all = settings("* bandwidth=1", "write:1000=ENOSPC");
  const auto start = Clock::now();
  {
    const System system(all);
    write(system, "waited.nc");
    std::this_thread::sleep_for(100ms);
    EXPECT_FALSE(is_written(system, "waited.nc"));
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), (folder_ / "waited.nc").c_str()));
    write(system, "replaced.nc");
    write(system, "replaced.nc");  // waits for the first one
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(
        scorpio_file_open(system.get(), (folder_ / "replaced.nc").c_str(), SCORPIO_READ, nullptr, &file));
    EXPECT_SUCCESS(scorpio_file_close(file));
    // More than the staging memory holds: a put or a create waits for slots.
    for (int i = 0; i < 8; ++i) write(system, "many" + std::to_string(i) + ".nc");
  }
  EXPECT_GT(30.0, seconds_since(start)) << "the end of the I/O system lifts the limit, too";
}

TEST_F(Policies, WrongPoliciesAreRefused) {
  const Settings wrong{
      {"* bandwidth=0", "option bandwidth = \"0\": the value must be unlimited, or 1 B or more"},
      {"* bandwidth=fast", "the value must be unlimited, or 1 B or more"},
      {"* priority=-1", "option priority"},
      {"* speed=7", "no option is named \"speed\""},
      {"* worker_cpus=0", "option worker_cpus is that of the I/O system"},
      {"bandwidth=1m", "begins with an option"},
      {"*.h0.*", "sets no option"}};
  for (const auto& [rules, text] : wrong) {
    const OptionList options(Settings{{"file_options", rules}});
    scorpio_iosystem* system = nullptr;
    EXPECT_NE(SCORPIO_OK, scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &system)) << rules;
    EXPECT_EQ(nullptr, system);
    EXPECT_NE(std::string::npos, last_text().find(text)) << last_text();
    EXPECT_TRUE(equal_on_all(last_text()));
  }
}

}  // namespace
}  // namespace scorpio::api_test
