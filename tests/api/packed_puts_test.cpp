// Option asynchronous: small records of many contiguous variables share staging slots. What is in the files,
// and which of two puts wins, is as without it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "accesses.h"
#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

using namespace std::string_literals;
namespace fs = std::filesystem;

constexpr int64_t k_times = 40, k_columns = 1536;  // a record of 12 KiB, a variable of 480 KiB
constexpr int k_variables = 60;

Settings settings(bool asynchronous, const std::string& faults = "", const char* io_ranks = "1") {
  Settings all{{"asynchronous", asynchronous ? "true" : "false"},
               {"staging_bytes", "16m"},  // slots of 256 KiB, of which one file can use 43
               {"staging_files", "4"},
               {"io_ranks", io_ranks == "2"s && ranks_in() == 1 ? "1" : io_ranks},
               {"format", "hdf5"}};
  if (!faults.empty()) all.emplace_back("store_faults", faults);
  return all;
}

// A file of variables with a time of fixed length.
class History {
 public:
  History(const System& system, const std::string& path)
      : columns_(system, uniform_layout({k_columns}, ranks_in())) {
    EXPECT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file_));
    const int64_t dims[] = {k_times, k_columns};
    for (int v = 0; v < k_variables; ++v) {
      EXPECT_SUCCESS(scorpio_variable_define(file_, ("v" + std::to_string(v)).c_str(), SCORPIO_FLOAT64, 2,
                                             dims, &ids_[v]));
    }
    EXPECT_SUCCESS(scorpio_define_end(file_));
  }
  static double value(int variable, int64_t time, int turn) {
    return 1e6 * variable + 1e3 * static_cast<double>(time) + turn + 0.25 * rank_in();
  }
  // The variables [first, end) at one time, in one call.
  int put(int first, int end, int64_t time, int turn) {
    std::vector<std::vector<double>> data;
    std::vector<scorpio_access> accesses;
    for (int v = first; v < end; ++v)
      data.emplace_back(static_cast<size_t>(k_columns / ranks_in()), value(v, time, turn));
    for (int v = first; v < end; ++v) {
      accesses.push_back(scorpio_darray(ids_[v], columns_.get(), time, SCORPIO_FLOAT64,
                                        data[static_cast<size_t>(v - first)].data()));
    }
    return put_n(file_, accesses);
  }
  void expect(int variable, int64_t time, int turn) {
    std::vector<double> back(static_cast<size_t>(k_columns / ranks_in()));
    EXPECT_SUCCESS(
        scorpio_get_darray(file_, ids_[variable], columns_.get(), time, SCORPIO_FLOAT64, back.data()));
    EXPECT_EQ(std::vector<double>(back.size(), value(variable, time, turn)), back)
        << "variable " << variable << " at " << time;
  }
  int sync() { return scorpio_file_sync(file_); }
  int close() { return scorpio_file_close(file_); }

 private:
  const Decomp columns_;
  scorpio_file* file_ = nullptr;
  int ids_[k_variables] = {};
};

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

class PackedPuts : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "f.h5", unfinished_ = path_ + ".scorpio-tmp";
};

// A record has 720 KiB and touches 60 units at least, more than there are slots.
TEST_F(PackedPuts, WaitForNoSlot) {
  const System system(settings(true, "write:1=3000ms"));
  History history(system, path_);
  for (int64_t time = 0; time < 4; ++time) EXPECT_SUCCESS(history.put(0, k_variables, time, 0));
  std::error_code none;
  const bool written = fs::exists(unfinished_, none) && fs::file_size(unfinished_, none) > 0;
  EXPECT_FALSE(written) << "the first write has ended";
  on_all(true);
  EXPECT_SUCCESS(history.close());
}

TEST_F(PackedPuts, FilesAreAsWithoutWorkers) {
  std::vector<std::string> contents;
  std::vector<uint64_t> placed;
  for (const bool asynchronous : {false, true}) {
    System system(settings(asynchronous, "", "2"));
    system.reset();
    History history(system, path_);
    for (int64_t time = 0; time + 1 < k_times; time += 3) {
      EXPECT_SUCCESS(history.put(0, k_variables, time, 0));
      EXPECT_SUCCESS(history.put(7, 8, time + 1, 1));
      if (time % 6 == 0) {
        EXPECT_SUCCESS(history.put(20, 40, time, 2));
      }
      if (time == 9) {
        EXPECT_SUCCESS(history.sync());
      }
    }
    history.expect(25, 9, 0);
    history.expect(25, 12, 2);
    history.expect(7, 13, 1);
    EXPECT_SUCCESS(history.close());
    placed.push_back(system.sum("bytes_placed"));
    contents.push_back(content_of(path_));
    on_all(true);
  }
  EXPECT_TRUE(contents[0] == contents[1]);
  EXPECT_EQ(placed[0], placed[1]);
}

// The first of two writes to the same bytes is delayed; several workers.
TEST_F(PackedPuts, TheLaterOfTwoPutsWins) {
  for (const char* delayed : {"write:1=100ms", "write:2=100ms", "write:*7=5ms"}) {
    const System system(settings(true, delayed, "2"));
    History history(system, path_);
    for (int turn = 0; turn < 3; ++turn) {
      EXPECT_SUCCESS(history.put(0, k_variables, 5, turn));
      EXPECT_SUCCESS(history.put(30, 31, 5, turn + 10));
    }
    EXPECT_SUCCESS(history.put(10, 50, 5, 4));
    for (const int variable : {0, 9, 50, 59}) history.expect(variable, 5, 2);
    for (const int variable : {10, 30, 49}) history.expect(variable, 5, 4);
    EXPECT_SUCCESS(history.close());
  }
}

TEST_F(PackedPuts, AFailureIsToldAtTheNextSynchronisationPoint) {
  for (const char* faults : {"write:1=ENOSPC", "write:20=ENOSPC"}) {
    const System system(settings(true, faults));
    History history(system, path_);
    for (int64_t time = 0; time < 3; ++time) EXPECT_SUCCESS(history.put(0, k_variables, time, 0));
    EXPECT_EQ(SCORPIO_ERR_NO_SPACE, history.sync()) << faults;
    EXPECT_TRUE(equal_on_all(last_text()));
    EXPECT_NE(std::string::npos, last_text().find(path_)) << last_text();
    EXPECT_EQ(SCORPIO_ERR_NO_SPACE, history.close());
    on_all(true);
    EXPECT_FALSE(fs::exists(path_)) << "it lacks data";
  }
}

}  // namespace
}  // namespace scorpio::api_test
