// Option asynchronous: I/O ranks write while no call is made; what is told, counted and in the files is as
// without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

#include "base/affinity.h"
#include "layout.h"
#include "session.h"
#include "support/time_of_others.h"

namespace scorpio::api_test {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr int64_t k_rows = 24, k_columns = 16384;  // 3 MiB of float64

Settings settings(bool asynchronous, const std::string& faults = "") {
  Settings all{{"asynchronous", asynchronous ? "true" : "false"},
               {"staging_bytes", "16m"},
               {"block_bytes", "64k"},
               {"io_ranks", "1"},
               {"format", "cdf5"}};
  if (!faults.empty()) all.emplace_back("store_faults", faults);
  return all;
}

// A file with two variables, of which each rank has its rows.
class Output {
 public:
  Output(const System& system, const std::string& path)
      : dims_{k_rows, k_columns},
        rows_(system, uniform_layout({dims_[0], dims_[1]}, ranks_in())),
        mine_(static_cast<size_t>(k_rows / ranks_in() * k_columns)) {
    std::iota(mine_.begin(), mine_.end(), 1e6 * rank_in());
    EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    for (const char* name : {"first", "second"}) {
      EXPECT_SUCCESS(
          scorpio_variable_define(file_, name, SCORPIO_FLOAT64, 2, dims_, &variables_[name[0] == 's']));
    }
    EXPECT_SUCCESS(scorpio_define_end(file_));
  }
  int put(int i) {
    return scorpio_put_darray(file_, variables_[i], rows_.get(), 0, SCORPIO_FLOAT64, mine_.data());
  }
  // What is put from now on differs.
  void change() {
    for (double& value : mine_) value += 0.5;
  }
  const std::vector<double>& mine() const { return mine_; }
  scorpio_decomp* rows() const { return rows_.get(); }
  int sync() { return scorpio_file_sync(file_); }
  int close() { return scorpio_file_close(file_); }
  uint64_t payload() const { return 2 * static_cast<uint64_t>(dims_[0] * dims_[1]) * sizeof(double); }

 private:
  const int64_t dims_[2];
  const Decomp rows_;
  std::vector<double> mine_;
  scorpio_file* file_ = nullptr;
  int variables_[2] = {-1, -1};
};

uint64_t size_of(const std::string& path) {
  std::error_code none;
  const auto size = fs::file_size(path, none);
  return none ? 0 : static_cast<uint64_t>(size);
}

class Asynchronous : public testing::Test {
 protected:
  // Until so many bytes are written, or for 20 s. Between nodes data cross inside calls. Elsewhere none is
  // made unless this rank `calls`.
  void await(uint64_t bytes, const System& system, bool calls = false) const {
    for (int i = 0; i < 2000 && size_of(unfinished_) < bytes; ++i) {
      EXPECT_EQ(SCORPIO_OK, calls || on_several_nodes() ? scorpio_progress(system.get()) : SCORPIO_OK);
      std::this_thread::sleep_for(10ms);
    }
  }
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f.nc", unfinished_ = path_ + ".scorpio-tmp";
};

// Without a worker, all that is written between two calls is what had to make room: on several nodes, where a
// file has fewer slots, that is more.

TEST_F(Asynchronous, WritesGoOnWhileNoCallIsMade) {
  for (const bool asynchronous : {false, true}) {
    const System system(settings(asynchronous, "write:1+=10ms"));
    EXPECT_NE(std::string::npos,
              system.describe().find(asynchronous ? "asynchronous = true" : "asynchronous = false"))
        << system.describe();
    Output output(system, path_);
    EXPECT_SUCCESS(output.put(0));
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_SUCCESS(output.put(1));  // all ranks have put the first variable
    const uint64_t first = output.payload() / 2;
    if (asynchronous) {
      await(first, system);
      EXPECT_LE(first, size_of(unfinished_)) << "written, although no rank is in a call";
    } else if (!on_several_nodes()) {
      std::this_thread::sleep_for(100ms);
      EXPECT_GT(first, size_of(unfinished_)) << "only what had to make room";
    }
    on_all(true);
    EXPECT_SUCCESS(output.close());
  }
}

// A model that has put history and goes on with another file needs no call for the first one.
TEST_F(Asynchronous, PutsMoveTheDataOfOtherFilesBetweenNodes) {
  if (!on_several_nodes()) GTEST_SKIP() << "on one node workers do it";
  Settings all = settings(true);
  all.emplace_back("staging_bytes", "64m");
  const System system(all);
  Output output(system, path_), other(system, folder_ / "other.nc");
  const bool io_rank = rank_in() == 0;
  EXPECT_EQ(SCORPIO_OK, io_rank ? output.put(0) : SCORPIO_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(SCORPIO_OK, io_rank ? SCORPIO_OK : output.put(0));
  const uint64_t some = output.payload() / 4;
  bool written = false;
  for (int i = 0; i < 400 && !written; ++i) {
    EXPECT_SUCCESS(other.put(i % 2));
    std::this_thread::sleep_for(5ms);
    written = on_all(size_of(unfinished_) >= some);
  }
  EXPECT_TRUE(written) << size_of(unfinished_);
  EXPECT_SUCCESS(other.close());
  EXPECT_SUCCESS(output.put(1));
  EXPECT_SUCCESS(output.close());
}

// The I/O rank has left its put when the others make theirs. On several nodes, too, a put fills units, and it
// has a slot for each of those that it enters: it must not wait for the others.
TEST_F(Asynchronous, WhatBecomesFullBetweenCallsIsPassedOnByTheWorkerOrByProgress) {
  for (const bool asynchronous : {false, true}) {
    Settings all = settings(asynchronous);
    if (on_several_nodes()) all.emplace_back("staging_bytes", asynchronous ? "64m" : "32m");
    const System system(all);
    Output output(system, path_);
    const bool io_rank = rank_in() == 0;
    EXPECT_EQ(SCORPIO_OK, io_rank ? output.put(0) : SCORPIO_OK);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_EQ(SCORPIO_OK, io_rank ? SCORPIO_OK : output.put(0));
    const uint64_t some = output.payload() / 4;
    std::this_thread::sleep_for(50ms);
    if (ranks_in() > 1 && !asynchronous && !on_several_nodes()) {
      EXPECT_GT(some, size_of(unfinished_)) << "no call was made since";
    }
    on_all(true);
    await(some, system, io_rank && !asynchronous);  // with a worker no call is needed
    EXPECT_LE(some, size_of(unfinished_));
    on_all(true);
    EXPECT_SUCCESS(output.put(1));
    EXPECT_SUCCESS(output.close());
  }
}

// For one file by a rule for its name, or by its own options; the I/O system says the opposite.
TEST_F(Asynchronous, IsChosenForEachFile) {
  for (const bool asynchronous : {false, true}) {
    Settings all = settings(!asynchronous, "write:1+=10ms");
    all.emplace_back("file_options", asynchronous ? "*.nc asynchronous=true" : "f.* asynchronous=false");
    const System system(all);
    Output output(system, path_);
    EXPECT_SUCCESS(output.put(0));
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_SUCCESS(output.put(1));
    const uint64_t first = output.payload() / 2;
    if (asynchronous) {
      await(first, system);
    } else {
      std::this_thread::sleep_for(100ms);
    }
    if (asynchronous || !on_several_nodes()) {
      EXPECT_EQ(asynchronous, first <= size_of(unfinished_));
    }
    on_all(true);
    EXPECT_SUCCESS(output.close());
    const OptionList options(Settings{{"asynchronous", asynchronous ? "false" : "true"}});
    scorpio_file* other = nullptr;
    EXPECT_SUCCESS(
        scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &other));
    EXPECT_SUCCESS(scorpio_file_close(other));
  }
}

// Units are smaller on several nodes, so that more messages bring the same bytes.
TEST_F(Asynchronous, FilesAndCountsAreAsWithoutIt) {
  std::vector<std::string> contents;
  std::vector<std::vector<uint64_t>> counts;
  for (const bool asynchronous : {false, true}) {
    const std::string path = folder_ / (asynchronous ? "behind.nc" : "at_once.nc");
    System system(settings(asynchronous));
    system.reset();
    Output output(system, path);
    for (const int i : {0, 1, 0}) EXPECT_SUCCESS(output.put(i));
    EXPECT_SUCCESS(output.sync());
    EXPECT_SUCCESS(output.put(1));
    EXPECT_SUCCESS(output.close());
    counts.emplace_back();
    for (const char* name :
         {"opens", "closes", "message_data_bytes", "agreements", "bytes_written", "bytes_placed"})
      counts.back().push_back(system.sum(name));
    if (!on_several_nodes()) counts.back().push_back(system.sum("messages"));
    EXPECT_EQ(system.sum("planned_messages"), system.sum("messages"));
    EXPECT_LE(2 * output.payload(), system.sum("bytes_written"));
    EXPECT_LT(0u, system.sum("time_io_ns"));
    std::string content(size_of(path), ' ');
    FILE* file = std::fopen(path.c_str(), "rb");
    ASSERT_NE(nullptr, file);
    EXPECT_EQ(content.size(), std::fread(content.data(), 1, content.size(), file));
    std::fclose(file);
    contents.push_back(std::move(content));
    on_all(true);
  }
  EXPECT_TRUE(contents[0] == contents[1]);
  EXPECT_EQ(counts[0], counts[1]);
}

// The store takes long for the first writes; two I/O ranks have a worker each.
TEST_F(Asynchronous, TheLaterOfTwoPutsWins) {
  for (const char* format : {"hdf5", "cdf1", "cdf2", "cdf5"}) {
    Settings all = settings(true, "write:1=100ms;write:2=100ms");
    all.emplace_back("io_ranks", std::to_string(std::min(2, ranks_in())));
    all.emplace_back("format", format);
    const System system(all);
    Output output(system, path_);
    for (int i = 0; i < 3; ++i) {
      output.change();
      EXPECT_SUCCESS(output.put(0));
    }
    EXPECT_SUCCESS(output.put(1));
    EXPECT_SUCCESS(output.close());
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_READ, nullptr, &file));
    for (const char* name : {"first", "second"}) {
      std::vector<double> back(output.mine().size());
      EXPECT_SUCCESS(
          scorpio_get_darray(file, object_of(file, name), output.rows(), 0, SCORPIO_FLOAT64, back.data()));
      EXPECT_EQ(output.mine(), back) << format;
    }
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
}

// The first write lasts long. A file gets most of the staging memory while others have put nothing, and
// another one still gets some. On several nodes buffers for messages take a part of this memory.
TEST_F(Asynchronous, APutDoesNotWaitWhileOtherFilesLeaveRoom) {
  Settings all = settings(true, "write:1=3000ms");
  all.emplace_back("staging_files", "4");
  if (on_several_nodes()) all.emplace_back("staging_bytes", "24m");
  const System system(all);
  Output output(system, path_), other(system, folder_ / "other.nc");
  EXPECT_SUCCESS(output.put(0));
  EXPECT_SUCCESS(output.put(1));  // both are more than a quarter of the slots
  EXPECT_SUCCESS(other.put(0));
  EXPECT_EQ(0u, size_of(unfinished_)) << "no write has ended";
  on_all(true);
  for (Output* file : {&other, &output}) EXPECT_SUCCESS(file->close());
  on_all(true);
  EXPECT_LE(output.payload(), size_of(path_));
}

// The first of two writes to the same bytes is delayed; several workers.
TEST_F(Asynchronous, TheLaterOfTwoPutsToTheSameElementsWins) {
  for (const char* format : {"hdf5", "netcdf4", "cdf1", "cdf2", "cdf5"}) {
    for (const char* delayed : {"write:1=150ms", "write:2=150ms", "write:*2=40ms"}) {
      Settings all{{"asynchronous", "true"}, {"staging_bytes", "16m"},
                   {"block_bytes", "64k"},   {"io_ranks", std::to_string(std::min(2, ranks_in()))},
                   {"format", format},       {"store_faults", delayed}};
      const System system(all);
      Output output(system, path_);
      for (int i = 0; i < 3; ++i) {
        if (i > 0) output.change();
        EXPECT_SUCCESS(output.put(0));
      }
      EXPECT_SUCCESS(output.close());
      scorpio_file* file = nullptr;
      ASSERT_SUCCESS(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_READ, nullptr, &file));
      std::vector<double> back(output.mine().size());
      EXPECT_SUCCESS(
          scorpio_get_darray(file, object_of(file, "first"), output.rows(), 0, SCORPIO_FLOAT64, back.data()));
      EXPECT_TRUE(output.mine() == back) << format << " " << delayed;
      EXPECT_SUCCESS(scorpio_file_close(file));
    }
  }
}

// The thread sanitizer has a thread of its own, whose time cannot be told from that of the worker.
#if !defined(__SANITIZE_THREAD__)
TEST_F(Asynchronous, AnIdleWorkerUsesNoTime) {
  const System system(settings(true));
  Output output(system, path_);
  EXPECT_SUCCESS(output.put(0));
  EXPECT_SUCCESS(output.sync());
  const double before = test::seconds_of_others();
  std::this_thread::sleep_for(2s);
  EXPECT_GT(0.001, test::seconds_of_others() - before);
  on_all(true);
  EXPECT_SUCCESS(output.put(1));
  EXPECT_SUCCESS(output.close());
}
#endif

// The value of a field in /proc/self/task/*/status, of each thread of this process.
std::vector<std::string> of_threads(const std::string& field) {
  std::vector<std::string> values;
  for (const auto& thread : fs::directory_iterator("/proc/self/task")) {
    std::ifstream status(thread.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(field + ":\t")) values.push_back(line.substr(field.size() + 2));
    }
  }
  return values;
}

Settings on_cpus(const std::string& cpus, bool asynchronous = true) {
  Settings all = settings(asynchronous);
  all.emplace_back("worker_cpus", cpus);
  return all;
}

// The last CPU that the ranks may use, which is not that of the ranks alone.
TEST_F(Asynchronous, TheWorkerRunsOnTheCpusOfTheOption) {
  const CpuSet usable = usable_cpus();
  size_t last = usable._Find_first();
  for (size_t cpu = last; cpu < k_most_cpus; cpu = usable._Find_next(cpu)) last = cpu;
  const std::string wished = std::to_string(last);
  const auto threads = static_cast<int>(of_threads("Pid").size());
  const auto there = std::ranges::count(of_threads("Cpus_allowed_list"), wished);
  const System system(on_cpus(wished));
  EXPECT_NE(std::string::npos, system.describe().find("worker_cpus = " + wished + " (API)\n"))
      << system.describe();
  const auto now = of_threads("Cpus_allowed_list");
  int workers = static_cast<int>(now.size()) - threads;
  EXPECT_EQ(there + workers, std::ranges::count(now, wished));
  MPI_Allreduce(MPI_IN_PLACE, &workers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(1, workers) << "that of the I/O rank";
}

TEST_F(Asynchronous, WhereTheWorkerRunsIsDescribed) {
  const std::string key = "worker_cpus = free (default); in force: ";
  {
    const System system(settings(true));
    const std::string text = system.describe();
    const size_t at = text.find(key);
    ASSERT_NE(std::string::npos, at) << text;
    const std::string value = text.substr(at + key.size(), text.find('\n', at) - at - key.size());
    const auto cpus = parse_cpus(value.substr(0, value.find(' ')));
    ASSERT_TRUE(cpus.ok()) << value;
    EXPECT_EQ(*cpus, *cpus & usable_cpus()) << value;
    EXPECT_TRUE(value.ends_with("(all that the job may use)") ||
                value.ends_with("(no rank is bound to them)"))
        << value;
  }
  const System system(settings(false));  // a worker starts with the first file that needs it
  EXPECT_EQ(std::string::npos, system.describe().find(key)) << system.describe();
  const OptionList options(Settings{{"asynchronous", "true"}});
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(
      scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file));
  EXPECT_NE(std::string::npos, system.describe().find(key)) << system.describe();
  EXPECT_SUCCESS(scorpio_file_close(file));
}

TEST_F(Asynchronous, CpusThatAreNotThereAreRefused) {
  for (const bool asynchronous : {true, false}) {
    for (const auto& [value, text] : Settings{{"1023", "this process cannot run on CPU 1023, only on "},
                                              {"", "is not a list of CPUs"},
                                              {"4-", "is not a list of CPUs"},
                                              {"all", "which is free, rank or a list"}}) {
      const OptionList options(on_cpus(value, asynchronous));
      scorpio_iosystem* system = nullptr;
      EXPECT_EQ(SCORPIO_ERR_ARGUMENT, scorpio_iosystem_create(MPI_COMM_WORLD, options.get(), &system))
          << value;
      EXPECT_EQ(nullptr, system);
      EXPECT_NE(std::string::npos, last_text().find(text)) << last_text();
      EXPECT_NE(std::string::npos, last_text().find("worker_cpus")) << last_text();
      EXPECT_TRUE(equal_on_all(last_text()));
    }
  }
}

TEST_F(Asynchronous, AFailureIsToldAtTheNextSynchronisationPoint) {
  const System system(settings(true, "write:2=ENOSPC"));
  {
    Output output(system, path_);
    EXPECT_SUCCESS(output.put(0));
    EXPECT_SUCCESS(output.put(1));
    EXPECT_EQ(SCORPIO_ERR_NO_SPACE, output.sync());
    EXPECT_TRUE(equal_on_all(last_text()));
    EXPECT_NE(std::string::npos, last_text().find(path_)) << last_text();
    EXPECT_EQ(SCORPIO_ERR_NO_SPACE, output.close());
  }
  on_all(true);
  EXPECT_FALSE(fs::exists(path_)) << "it lacks data";
  Output next(system, path_);
  EXPECT_SUCCESS(next.put(0));
  EXPECT_SUCCESS(next.put(1));
  EXPECT_SUCCESS(next.close());
  on_all(true);
  EXPECT_LE(next.payload(), size_of(path_));
}

}  // namespace
}  // namespace scorpio::api_test
