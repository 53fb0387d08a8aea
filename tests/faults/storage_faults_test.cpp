// Each storage call fails once, on all ranks or on one: all ranks learn the same, and no file is left that
// cannot be read or lacks what it claims to hold.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "faults/job.h"

namespace scorpio::test {
namespace {

// Whether files of the format of the environment are folders of objects (tests/format/toy).
#ifdef SCORPIO_FAULTS_IN_FOLDERS
constexpr bool k_folders = true;
#else
constexpr bool k_folders = false;
#endif

// Whether variables are stored in chunks, which are in memory until the next synchronisation point.
#ifdef SCORPIO_FAULTS_IN_CHUNKS
constexpr bool k_in_chunks = true;
#else
constexpr bool k_in_chunks = false;
#endif

// Two I/O ranks, and calls of every kind in a file of 150 KiB.
constexpr int64_t k_rows = 300;
Settings settings_with(const std::string& faults) {
  return {{"staging_bytes", "256KiB"}, {"block_bytes", "16KiB"}, {"io_ranks", ranks() > 1 ? "2" : "1"},
          {"durable", "true"},         {"chunk_bytes", "64KiB"}, {"store_faults", faults}};
}

// What happened to a file under faults: the first failure that every rank must have seen alike.
struct Ending {
  Outcome outcome;
  bool alike = true;
};

// A call that all ranks must see alike. False when it failed.
bool agreed(int code, Ending& ending) {
  const Outcome seen = outcome(code);
  ending.alike = same_everywhere(seen) && ending.alike;
  if (ending.outcome.ok()) ending.outcome = seen;
  return seen.ok();
}

Ending make_file(const System& system, const std::string& path) {
  Ending ending;
  scorpio_file* file = nullptr;
  if (!agreed(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file),
              ending))
    return ending;
  (void)write_variable(system, file, 1);
  (void)write_variable(system, file, 2);
  agreed(scorpio_file_close(file), ending);
  return ending;
}

Ending append_to_file(const System& system, const std::string& path) {
  Ending ending;
  scorpio_file* file = nullptr;
  if (!agreed(scorpio_file_open(system.get(), path.c_str(), SCORPIO_WRITE, nullptr, &file), ending))
    return ending;
  (void)write_variable(system, file, 1);
  agreed(scorpio_file_sync(file), ending);
  (void)write_variable(system, file, 2);
  agreed(scorpio_file_close(file), ending);
  return ending;
}

Ending read_file(const System& system, const std::string& path) {
  Ending ending;
  scorpio_file* file = nullptr;
  if (!agreed(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file), ending))
    return ending;
  int id = -1;
  EXPECT_EQ(scorpio_variable_find(file, "v9", &id), SCORPIO_OK);
  std::vector<double> values(system.values(9).size());
  if (agreed(scorpio_get_darray(file, id, system.decomp(), 0, SCORPIO_FLOAT64, values.data()), ending)) {
    EXPECT_EQ(values, system.values(9));
  }
  agreed(scorpio_file_close(file), ending);
  return ending;
}

// Faults for the ranks that are to have them.
enum class Who { all, metadata_rank, other_io_rank };

class StorageFaults : public testing::Test {
 protected:
  StorageFaults() {
    const System system(settings_with(""), k_rows);
    scorpio_file* file = nullptr;
    EXPECT_EQ(scorpio_file_create(system.get(), pattern_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file),
              SCORPIO_OK);
    EXPECT_TRUE(write_variable(system, file, 9).ok());
    EXPECT_EQ(scorpio_file_close(file), SCORPIO_OK);
  }

  // The old file, with "v9", under the name of the file to be written.
  void restore() const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) copy_file(pattern_, path_);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void remove_file() const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) std::filesystem::remove_all(path_);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  Ending run(const std::string& rule, Who who, const std::function<Ending(const System&)>& work) const {
    const int io_rank = who == Who::other_io_rank && ranks() > 1 ? ranks() / 2 : 0;
    const bool here = who == Who::all || rank() == io_rank;
    const System system(settings_with(here ? rule : std::string()), k_rows);
    return work(system);
  }

  // As a stock reader sees the file, which may first have to be opened by us where a journal was left.
  bool complete(const std::vector<std::string>& needed) const {
    if (exists(path_ + ".scorpio-journal")) {
      const System system(settings_with(""), k_rows);
      Ending ending;
      scorpio_file* file = nullptr;
      if (!agreed(scorpio_file_open(system.get(), path_.c_str(), SCORPIO_READ, nullptr, &file), ending))
        return false;
      if (!agreed(scorpio_file_close(file), ending)) return false;
    }
    return stock_reader_accepts(path_, needed);
  }

  void expect_no_half_file(const Ending& ending, bool old_there, const std::string& rule) const {
    EXPECT_TRUE(ending.alike) << rule << ": " << ending.outcome.text;
    if (ending.outcome.ok()) {
      EXPECT_TRUE(complete({"v1", "v2"})) << rule;
      return;
    }
    EXPECT_GT(ending.outcome.text.size(), 20u) << rule;
    EXPECT_GE(ending.outcome.origin, 0) << rule;
    if (!old_there && !exists(path_)) return;
    EXPECT_TRUE(complete(old_there ? std::vector<std::string>{"v9"} : std::vector<std::string>{"v1", "v2"}) ||
                complete({"v1", "v2"}))
        << rule << ": " << ending.outcome.text;
  }

  // Every k-th call of `operation` in turn, as long as there are so many.
  void each_call(const std::string& operation, const std::string& effect, int calls, Who who,
                 const std::function<void(const std::string& rule, Who who)>& check) const {
    for (int k = 1; k <= calls; ++k) check(operation + ":" + std::to_string(k) + "=" + effect, who);
  }

  static void copy_file(const std::string& from, const std::string& to);

  const SharedFolder folder_;
  const std::string pattern_ = folder_ / "old.h5";
  const std::string path_ = folder_ / "a.h5";
};

void StorageFaults::copy_file(const std::string& from, const std::string& to) {
  const std::string old = "rm -rf '" + to + "' '" + to + "'.scorpio-*; ";
  EXPECT_EQ(std::system((old + "cp -r '" + from + "' '" + to + "'").c_str()), 0);
}

struct Scenario {
  const char* name;
  bool old_there;
  Ending (*work)(const System&, const std::string& path);
};

const Scenario k_scenarios[] = {
    {"new file", false, make_file},
    {"file that replaces another", true, make_file},
    {"file opened for writing", true, append_to_file},
};

struct Calls {
  const char* operation;
  const char* counter;  // that says how many there are; NULL: few
};

const Calls k_all_calls[] = {{"open", "opens"},   {"read", "reads"},   {"write", "writes"},
                             {"sync", "syncs"},   {"close", "closes"}, {"truncate", nullptr},
                             {"rename", nullptr}, {"lock", nullptr},   {"remove", nullptr},
                             {"mkdir", nullptr},  {"list", nullptr}};
constexpr int k_few = 3;

// The most calls of a kind that any rank makes.
int count_calls(const Scenario& scenario, const Calls& calls, const std::string& path) {
  if (calls.counter == nullptr && !k_folders) return k_few;
  const System system(settings_with(""), k_rows);
  EXPECT_TRUE(scenario.work(system, path).outcome.ok());
  int most = 0, mine = calls.counter == nullptr ? k_few : static_cast<int>(system.counter(calls.counter));
  // An object that is put is opened, written, closed and renamed; one that is got is opened, read and closed.
  if (k_folders) mine += static_cast<int>(system.counter("writes") + system.counter("reads"));
  MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

// A full file system is not felt by a read, a lock or a removal.
std::vector<std::string> errors_of(const std::string& operation) {
  const bool allocates = operation == "open" || operation == "write" || operation == "truncate";
  return allocates ? std::vector<std::string>{"EIO", "ENOSPC"} : std::vector<std::string>{"EIO"};
}

// POSIX knows no EINTR of calls on names.
bool interruptible(const std::string& operation) {
  return operation != "rename" && operation != "remove" && operation != "mkdir" && operation != "list";
}

#ifdef SCORPIO_FAULTS_ON_EACH_RANK
const Who k_who[] = {Who::metadata_rank, Who::other_io_rank};
#else
const Who k_who[] = {Who::all};
#endif

TEST_F(StorageFaults, InterruptedAndShortCallsAreContinued) {
  for (const Scenario& scenario : k_scenarios) {
    for (const Calls& calls : k_all_calls) {
      const std::string operation = calls.operation;
      std::vector<std::string> effects;
      if (interruptible(operation)) effects.push_back("EINTR");
      if (operation == "read" || operation == "write") effects.push_back("short");
      for (const std::string& effect : effects) {
        // All together: one that is not continued shows in the outcome.
        for (const char* when : {":*2=", ":*3="}) {
          const std::string rule = operation + when + effect;
          if (scenario.old_there) restore();
          const Ending ending =
              run(rule, k_who[0], [&](const System& system) { return scenario.work(system, path_); });
          EXPECT_TRUE(ending.outcome.ok()) << scenario.name << ", " << rule << ": " << ending.outcome.text;
          EXPECT_TRUE(complete({"v1", "v2"})) << scenario.name << ", " << rule;
        }
      }
    }
  }
}

TEST_F(StorageFaults, FailedCallsLeaveNoHalfFile) {
  for (const Scenario& scenario : k_scenarios) {
    SCOPED_TRACE(scenario.name);
    for (const Calls& calls : k_all_calls) {
      if (scenario.old_there) restore();
      const int most = count_calls(scenario, calls, path_);
      for (const Who who : k_who) {
        for (const std::string& effect : errors_of(calls.operation)) {
          each_call(calls.operation, effect, most, who, [&](const std::string& rule, Who here) {
            if (scenario.old_there) {
              restore();
            } else {
              remove_file();
            }
            const Ending ending =
                run(rule, here, [&](const System& system) { return scenario.work(system, path_); });
            expect_no_half_file(ending, scenario.old_there, rule);
          });
        }
      }
    }
  }
}

TEST_F(StorageFaults, AFullFileSystemIsNamed) {
  const Ending ending =
      run("write:1+=ENOSPC", Who::all, [&](const System& system) { return make_file(system, path_); });
  EXPECT_EQ(ending.outcome.code, SCORPIO_ERR_NO_SPACE) << ending.outcome.text;
  EXPECT_TRUE(ending.alike);
  EXPECT_FALSE(exists(path_));
  EXPECT_FALSE(exists(path_ + ".scorpio-tmp"));
}

TEST_F(StorageFaults, FailedReadsReachAllRanks) {
  restore();
  const Scenario reading = {
      "reading", true, [](const System& system, const std::string& path) { return read_file(system, path); }};
  for (const Calls& calls : {Calls{"read", "reads"}, Calls{"open", "opens"}}) {
    const int most = count_calls(reading, calls, path_);
    for (const Who who : {Who::all, Who::metadata_rank, Who::other_io_rank}) {
      each_call(calls.operation, "EIO", most, who, [&](const std::string& rule, Who here) {
        const Ending ending = run(rule, here, [&](const System& system) { return read_file(system, path_); });
        EXPECT_TRUE(ending.alike) << rule << ": " << ending.outcome.text;
      });
    }
  }
  EXPECT_TRUE(stock_reader_accepts(path_, {"v9"}));
}

// A write that failed is not forgotten because a get asked first.
TEST_F(StorageFaults, FailedWriteBeforeGet) {
  const Ending ending = run("write:1=EIO", Who::all, [&](const System& system) {
    Ending seen;
    scorpio_file* file = nullptr;
    if (!agreed(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file),
                seen))
      return seen;
    (void)write_variable(system, file, 1);
    std::vector<double> values = system.values(1);
    EXPECT_EQ(k_in_chunks,
              agreed(scorpio_get_darray(file, 0, system.decomp(), 0, SCORPIO_FLOAT64, values.data()), seen));
    EXPECT_FALSE(agreed(scorpio_file_close(file), seen));
    return seen;
  });
  EXPECT_TRUE(ending.alike);
  EXPECT_EQ(ending.outcome.code, SCORPIO_ERR_IO) << ending.outcome.text;
  EXPECT_FALSE(exists(path_));
}

// A valid file that failed later keeps what its last good sync left.
TEST_F(StorageFaults, WhatWasSyncedStays) {
  const int most = count_calls(k_scenarios[0], k_all_calls[2], path_);
  for (int k = 1; k <= 2 * most; ++k) {
    remove_file();
    const std::string rule = "write:" + std::to_string(k) + "+=ENOSPC";
    bool synced = false;
    const Ending ending = run(rule, Who::all, [&](const System& system) {
      Ending seen;
      scorpio_file* file = nullptr;
      if (!agreed(scorpio_file_create(system.get(), path_.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file),
                  seen))
        return seen;
      (void)write_variable(system, file, 1);
      synced = agreed(scorpio_file_sync(file), seen);
      (void)write_variable(system, file, 2);
      agreed(scorpio_file_close(file), seen);
      return seen;
    });
    EXPECT_TRUE(ending.alike) << rule;
    EXPECT_TRUE(synced ? complete({"v1"}) : !exists(path_)) << rule << ": " << ending.outcome.text;
  }
}

}  // namespace
}  // namespace scorpio::test
