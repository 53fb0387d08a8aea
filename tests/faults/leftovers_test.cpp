// A create or an open that fails leaves the folder as it was: no file, no lock, and the contents of what was
// there before.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "faults/job.h"

namespace scorpio::test {
namespace {

struct Kind {
  const char* name;
  const char* format;
  const char* eager;
};

#ifdef SCORPIO_FAULTS_IN_FOLDERS
constexpr Kind k_kinds[] = {{"toy", "toy", "false"}};
#else
constexpr Kind k_kinds[] = {{"cdf1", "cdf1", "false"},           {"cdf2", "cdf2", "false"},
                            {"cdf5", "cdf5", "false"},           {"hdf5", "hdf5", "false"},
                            {"netcdf4", "netcdf4", "false"},     {"hdf5_eager", "hdf5", "true"},
                            {"netcdf4_eager", "netcdf4", "true"}};
#endif

constexpr const char* k_operations[] = {"open",  "read",   "write",  "truncate", "sync", "lock",
                                        "close", "rename", "remove", "mkdir",    "list"};

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class Leftovers : public testing::TestWithParam<Kind> {
 protected:
  // The files of the folder with their contents, on rank 0.
  using Snapshot = std::map<std::string, std::string>;

  Snapshot snapshot() const {
    Snapshot all;
    if (rank() != 0) return all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / ""))
      all[entry.path()] = entry.is_directory() ? "(a folder)" : contents(entry.path());
    return all;
  }

  Settings settings(const std::string& faults) const {
    return {{"staging_bytes", "256KiB"},   {"block_bytes", "16KiB"},    {"io_ranks", ranks() > 1 ? "2" : "1"},
            {"format", GetParam().format}, {"eager", GetParam().eager}, {"store_faults", faults}};
  }

  static int create(const System& system, const std::string& path, scorpio_file** file) {
    return scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, file);
  }
  static int open(const System& system, const std::string& path, scorpio_open_mode mode,
                  scorpio_file** file) {
    return scorpio_file_open(system.get(), path.c_str(), mode, nullptr, file);
  }

  // A file with a variable.
  void make_old(const std::string& path) const {
    const System system(settings(""), k_rows);
    scorpio_file* file = nullptr;
    ASSERT_EQ(create(system, path, &file), SCORPIO_OK) << outcome(SCORPIO_ERR_IO).text;
    EXPECT_TRUE(write_variable(system, file, 9).ok());
    ASSERT_EQ(scorpio_file_close(file), SCORPIO_OK) << outcome(SCORPIO_ERR_IO).text;
  }

  void empty_folder() const {
    MPI_Barrier(MPI_COMM_WORLD);
    for (const auto& [path, text] : snapshot()) std::filesystem::remove_all(path);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  void make_anew(const std::string& path) const {
    empty_folder();
    make_old(path);
  }

  using Call = std::function<int(const System&, scorpio_file**)>;

  // The k-th call of each operation fails on the metadata rank, for each k, until `call` does not notice.
  void each_fault(const Call& call, const std::function<void()>& prepare) {
    for (const std::string operation : k_operations) {
      bool failed = true;
      for (int k = 1; failed && k < k_most_calls; ++k) {
        prepare();
        const std::string rule = operation + ":" + std::to_string(k) + "=EIO";
        SCOPED_TRACE(rule);
        failed = leaves_nothing(rule, call);
      }
      EXPECT_FALSE(failed) << operation;
    }
  }

  // Whether the call failed. A second one must do its work, because no lock is left.
  bool leaves_nothing(const std::string& rule, const Call& call) {
    const Snapshot before = snapshot();
    const System system(settings(rank() == 0 ? rule : ""), k_rows);
    scorpio_file* file = nullptr;
    const Outcome first = outcome(call(system, &file));
    EXPECT_TRUE(same_everywhere(first)) << first.text;
    if (!first.ok()) {
      EXPECT_EQ(before, snapshot()) << first.text;
      MPI_Barrier(MPI_COMM_WORLD);
      const System other(settings(""), k_rows);
      EXPECT_EQ(call(other, &file), SCORPIO_OK) << outcome(SCORPIO_ERR_IO).text;
      (void)scorpio_file_close(file);
      return true;
    }
    (void)scorpio_file_close(file);
    return false;
  }

  static constexpr int64_t k_rows = 30;
  static constexpr int k_most_calls = 20;
  const SharedFolder folder_;
  const std::string path_ = folder_ / "a";
};

TEST_P(Leftovers, OfANewFile) {
  each_fault([&](const System& system, scorpio_file** file) { return create(system, path_, file); },
             [&] { empty_folder(); });
}

TEST_P(Leftovers, OfAFileThatReplacesAnother) {
  each_fault([&](const System& system, scorpio_file** file) { return create(system, path_, file); },
             [&] { make_anew(path_); });
}

TEST_P(Leftovers, OfAFileThatIsOpened) {
  for (const auto mode : {SCORPIO_READ, SCORPIO_WRITE})
    each_fault([&](const System& system, scorpio_file** file) { return open(system, path_, mode, file); },
               [&] { make_anew(path_); });
}

// A classic file cannot be eager.
TEST_P(Leftovers, OfOptionsThatDoNotSuit) {
  const std::string format = GetParam().format;
  const bool live = format == "hdf5" || format == "netcdf4";
  if (live) GTEST_SKIP() << "an HDF5 file can be eager";
  for (const bool old_there : {false, true}) {
    if (old_there) make_old(path_);
    const Snapshot before = snapshot();
    Settings eager = settings("");
    for (auto& [option, value] : eager) value = option == "eager" ? "true" : value;
    const System system(eager, k_rows);
    scorpio_file* file = nullptr;
    EXPECT_EQ(create(system, path_, &file), SCORPIO_ERR_UNSUPPORTED);
    EXPECT_EQ(before, snapshot());
    if (!old_there) continue;
    EXPECT_EQ(open(system, path_, SCORPIO_WRITE, &file), SCORPIO_ERR_UNSUPPORTED);
    EXPECT_EQ(before, snapshot());
  }
}

// Another program that uses HDF5 holds its lock.
TEST_P(Leftovers, OfAFileThatAnotherProgramHasOpen) {
  if (std::string(GetParam().eager) != "true") GTEST_SKIP() << "new files get the name at their end";
  make_old(path_);
  const Snapshot before = snapshot();
  int descriptor = -1;
  if (rank() == 0) {
    descriptor = ::open(path_.c_str(), O_RDONLY);
    EXPECT_EQ(flock(descriptor, LOCK_SH | LOCK_NB), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  {
    const System system(settings(""), k_rows);
    scorpio_file* file = nullptr;
    const Outcome made = outcome(create(system, path_, &file));
    EXPECT_EQ(made.code, SCORPIO_ERR_BUSY) << made.text;
    EXPECT_EQ(before, snapshot());
  }
  if (descriptor >= 0) ::close(descriptor);
}

INSTANTIATE_TEST_SUITE_P(Formats, Leftovers, testing::ValuesIn(k_kinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace scorpio::test
