// Names at the limits of the file system, and what bears a name without being a file: told when the file is
// made or opened, alike on all ranks, never when its data are written already.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <filesystem>

#include "faults/job.h"

namespace scorpio::test {
namespace {

constexpr size_t k_longest_name = 255;  // NAME_MAX of nearly all file systems

class Names : public testing::TestWithParam<const char*> {
 protected:
  // A wait for the other end of a pipe fails the test.
  void SetUp() override { ::alarm(60); }
  void TearDown() override { ::alarm(0); }

  static void expect_failure(int returned, int code) {
    const Outcome seen = outcome(returned);
    EXPECT_EQ(seen.code, code) << seen.text;
    EXPECT_TRUE(same_everywhere(seen)) << seen.text;
  }
  static void expect_success(int returned) {
    const Outcome seen = outcome(returned);
    EXPECT_TRUE(seen.ok()) << seen.text;
  }
  int define(scorpio_file* file, const char* name) const {
    int id = -1;
    expect_success(scorpio_variable_define(file, name, SCORPIO_FLOAT64, 2, system_.dims(), &id));
    return id;
  }
  void put(scorpio_file* file, int id, int variable) const {
    const std::vector<double> values = system_.values(variable);
    expect_success(scorpio_put_darray(file, id, system_.decomp(), 0, SCORPIO_FLOAT64, values.data()));
  }
  int create(const std::string& path, scorpio_file** file) const {
    return scorpio_file_create(system_.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, options_.get(), file);
  }
  // A new file that changes after a sync, and an opened file that changes: each writes a journal.
  void write_and_change(const std::string& path) const {
    scorpio_file* file = nullptr;
    ASSERT_TRUE(outcome(create(path, &file)).ok()) << outcome(SCORPIO_ERR_NAME).text;
    put(file, define(file, "v1"), 1);
    expect_success(scorpio_file_sync(file));
    expect_success(scorpio_define_begin(file));
    put(file, define(file, "v2"), 2);
    expect_success(scorpio_file_close(file));
    expect_success(scorpio_file_open(system_.get(), path.c_str(), SCORPIO_WRITE, nullptr, &file));
    expect_success(scorpio_define_begin(file));
    put(file, define(file, "v3"), 3);
    expect_success(scorpio_file_close(file));
  }
  void expect_there(const std::string& path) const {
    scorpio_file* file = nullptr;
    expect_success(scorpio_file_open(system_.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    for (const int variable : {1, 2, 3}) {
      int id = -1;
      expect_success(scorpio_variable_find(file, ("v" + std::to_string(variable)).c_str(), &id));
      std::vector<double> values(system_.values(variable).size());
      expect_success(scorpio_get_darray(file, id, system_.decomp(), 0, SCORPIO_FLOAT64, values.data()));
      EXPECT_EQ(values, system_.values(variable));
    }
    expect_success(scorpio_file_close(file));
  }
  long files_in(const std::string& folder) const {
    MPI_Barrier(MPI_COMM_WORLD);
    const std::filesystem::directory_iterator all(folder);
    const long count = std::distance(begin(all), end(all));
    MPI_Barrier(MPI_COMM_WORLD);
    return count;
  }
  // Collective. A folder so deep that names in it of `room` bytes make the longest path there can be.
  std::string deep_folder(size_t room) const {
    std::string folder = folder_ / "deep";
    const size_t length = PATH_MAX - 1 - room - 1;
    while (folder.size() + 202 < length) folder += "/" + std::string(200, 'd');
    folder += "/" + std::string(length - folder.size() - 1, 'e');
    if (rank() == 0) std::filesystem::create_directories(folder);
    MPI_Barrier(MPI_COMM_WORLD);
    return folder;
  }

  const SharedFolder folder_;
  const System system_{{{"staging_bytes", "256KiB"}}, 10};
  const OptionList options_{Settings{{"format", GetParam()}}};
};

INSTANTIATE_TEST_SUITE_P(Formats, Names, testing::Values("hdf5", "cdf5"),
                         [](const auto& format) { return std::string(format.param); });

TEST_P(Names, AnyLengthThatTheFileSystemTakes) {
  for (size_t length = 230; length <= k_longest_name; ++length) {
    SCOPED_TRACE(length);
    const std::string path = folder_ / (std::string(length - 1, 'n') + "a");
    write_and_change(path);
    expect_there(path);
    if (rank() == 0) std::filesystem::remove(path);
  }
  EXPECT_EQ(files_in(folder_ / ""), 0);
}

// Their temporary files must not be one.
TEST_P(Names, LongNamesThatDifferInTheirLastByte) {
  const std::string start(k_longest_name - 1, 'n');
  scorpio_file* files[] = {nullptr, nullptr};
  const std::string paths[] = {folder_ / (start + "a"), folder_ / (start + "b")};
  for (int i : {0, 1}) {
    expect_success(create(paths[i], &files[i]));
    put(files[i], define(files[i], "v1"), 1 + i);
  }
  for (int i : {0, 1}) expect_success(scorpio_file_close(files[i]));
  EXPECT_EQ(files_in(folder_ / ""), 2);
}

TEST_P(Names, TooLongANameIsToldAtOnce) {
  scorpio_file* file = nullptr;
  expect_failure(create(folder_ / std::string(k_longest_name + 1, 'n'), &file), SCORPIO_ERR_NAME);
  EXPECT_EQ(files_in(folder_ / ""), 0);
}

// Also the journal and the temporary file need a path.
TEST_P(Names, TooLongAPathIsToldAtOnce) {
  const std::string folder = deep_folder(20);
  const std::string fits = folder + "/1234", longer = folder + "/12345";
  scorpio_file* file = nullptr;
  expect_failure(create(longer, &file), SCORPIO_ERR_NAME);
  EXPECT_EQ(files_in(folder), 0);
  write_and_change(fits);
  expect_there(fits);
  const std::string longest = folder + "/" + std::string(20, 'n');
  if (rank() == 0) std::filesystem::rename(fits, longest);
  MPI_Barrier(MPI_COMM_WORLD);
  expect_there(longest);
  expect_failure(scorpio_file_open(system_.get(), longest.c_str(), SCORPIO_WRITE, nullptr, &file),
                 SCORPIO_ERR_NAME);
  const OptionList without{Settings{{"journal", "false"}}};
  expect_success(scorpio_file_open(system_.get(), longest.c_str(), SCORPIO_WRITE, without.get(), &file));
  expect_success(scorpio_file_close(file));
}

TEST_P(Names, APipeIsNoFile) {
  const std::string pipe = folder_ / "pipe";
  if (rank() == 0) {
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  scorpio_file* file = nullptr;
  for (const auto mode : {SCORPIO_READ, SCORPIO_WRITE}) {
    expect_failure(scorpio_file_open(system_.get(), pipe.c_str(), mode, nullptr, &file), SCORPIO_ERR_FORMAT);
  }
  expect_failure(create(pipe, &file), SCORPIO_ERR_EXISTS);
}

}  // namespace
}  // namespace scorpio::test
