// Calls that must be refused although nothing seems to be wrong with their arguments, and what they leave.
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <numeric>

#include "accesses.h"
#include "layout.h"
#include "support/whole_file.h"

namespace scorpio::api_test {
namespace {

namespace fs = std::filesystem;

int code_of_create(const System& system, const std::string& path, scorpio_file*& file,
                   const Settings& settings = {}) {
  const OptionList options(settings);
  return scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, options.get(), &file);
}

class EachFormat : public testing::TestWithParam<const char*> {
 protected:
  Settings format() const { return {{"format", GetParam()}}; }
  const TemporaryFolder folder_;
};

void at_rank_zero(const std::function<void()>& work) {
  if (rank_in() == 0) work();
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST_P(EachFormat, AFileThatIsBeingWrittenIsNotReplaced) {
  const System system;
  const std::string path = folder_ / "a";
  scorpio_file *first = nullptr, *second = nullptr;
  ASSERT_SUCCESS(code_of_create(system, path, first, format()));
  EXPECT_SUCCESS(scorpio_file_sync(first));
  EXPECT_EQ(SCORPIO_ERR_BUSY, code_of_create(system, path, second, format())) << last_text();
  const System with_another_metadata_rank({{"io_rank_list", std::to_string(ranks_in() - 1)}});
  EXPECT_EQ(SCORPIO_ERR_BUSY, code_of_create(with_another_metadata_rank, path, second, format()))
      << last_text();
  EXPECT_SUCCESS(scorpio_file_close(first));
  ASSERT_SUCCESS(code_of_create(system, path, second, format()));
  EXPECT_SUCCESS(scorpio_file_close(second));
}

TEST_P(EachFormat, WhatIsNoRegularFileIsNotReplaced) {
  const System system;
  const std::string inner = folder_ / "inner", link = folder_ / "link", pipe = folder_ / "pipe";
  at_rank_zero([&] {
    fs::create_directory(inner);
    fs::create_symlink("target", link);
    ASSERT_EQ(0, mkfifo(pipe.c_str(), 0600));
  });
  for (const std::string& path : {inner, link, pipe}) {
    scorpio_file* file = nullptr;
    EXPECT_EQ(SCORPIO_ERR_EXISTS, code_of_create(system, path, file, format())) << path;
    EXPECT_NE(std::string::npos, last_text().find(path)) << last_text();
  }
  EXPECT_TRUE(fs::is_directory(inner) && fs::is_symlink(link) && fs::is_fifo(pipe));
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(2, folder_.files());  // which counts no folders
}

TEST_P(EachFormat, FillIsChosenBeforeThereAreData) {
  const System system;
  const std::string path = folder_ / "a";
  const Layout layout = uniform_layout({8}, ranks_in());
  const Decomp rows(system, layout);
  const std::vector<int32_t> sevens(8, 7);
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(code_of_create(system, path, file, format()));
  const int64_t extent = 8;
  int v = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, &extent, &v));
  EXPECT_SUCCESS(scorpio_variable_fill_define(file, v, 1, nullptr));
  EXPECT_SUCCESS(scorpio_put_darray(file, v, rows.get(), 0, SCORPIO_INT32, sevens.data()));
  EXPECT_SUCCESS(scorpio_define_begin(file));
  const int32_t five = 5;
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_variable_fill_define(file, v, 1, nullptr));
  EXPECT_EQ(SCORPIO_ERR_STATE, scorpio_variable_fill_define(file, v, 1, &five));
  EXPECT_SUCCESS(scorpio_define_end(file));
  std::vector<int32_t> back(8);
  EXPECT_SUCCESS(scorpio_get_darray(file, v, rows.get(), 0, SCORPIO_INT32, back.data()));
  int64_t mine = 0;
  EXPECT_SUCCESS(scorpio_decomp_local_elements(rows.get(), &mine));
  for (int64_t i = 0; i < mine; ++i) EXPECT_EQ(7, back[static_cast<size_t>(i)]);
  EXPECT_SUCCESS(scorpio_file_close(file));
}

INSTANTIATE_TEST_SUITE_P(Formats, EachFormat, testing::Values("hdf5", "cdf5", "toy"));

// A file with eight elements, all of them put and 7, divided among the ranks of a job on so many nodes.
struct Eight {
  explicit Eight(const char* nodes) : Eight(Settings{{"nodes", nodes}}) {}
  explicit Eight(const Settings& settings) : system(settings), rows(system, uniform_layout({8}, ranks_in())) {
    const int64_t extent = 8;
    EXPECT_SUCCESS(code_of_create(system, path, file));
    EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT32, 1, &extent, &v));
    EXPECT_SUCCESS(scorpio_put_darray(file, v, rows.get(), 0, SCORPIO_INT32, sevens.data()));
  }
  int get(int variable) {
    return scorpio_get_darray(file, variable, rows.get(), 0, SCORPIO_INT32, back.data());
  }
  int put(int variable) {
    return scorpio_put_darray(file, variable, rows.get(), 0, SCORPIO_INT32, sevens.data());
  }
  // This rank's elements are as put.
  void expect_all() {
    back.assign(8, 0);
    EXPECT_SUCCESS(get(v));
    int64_t mine = 0;
    EXPECT_SUCCESS(scorpio_decomp_local_elements(rows.get(), &mine));
    for (int64_t i = 0; i < mine; ++i) EXPECT_EQ(7, back[static_cast<size_t>(i)]);
  }

  const std::vector<int32_t> sevens = std::vector<int32_t>(8, 7);
  const TemporaryFolder folder;
  const std::string path = folder / "a";
  System system;
  const Decomp rows;
  scorpio_file* file = nullptr;
  int v = -1;
  std::vector<int32_t> back = std::vector<int32_t>(8);
};

// A get that all ranks ask for wrongly costs the handle nothing, on however many nodes.
TEST(Refusals, AGetThatIsWrongLeavesTheFileUsable) {
  for (const char* nodes : {"0", "2"}) {
    Eight eight(nodes);
    EXPECT_NE(SCORPIO_OK, eight.get(eight.v + 1));
    EXPECT_SUCCESS(eight.get(eight.v));
    EXPECT_SUCCESS(scorpio_file_close(eight.file));
    EXPECT_TRUE(fs::exists(eight.path));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// Ranks on one node, on two, and each on one of its own.
const Settings k_places[] = {{{"nodes", "0"}}, {{"nodes", "2"}}, {{"exchange", "messages"}}};

// All ranks leave out the same puts, so the file lacks no data; the next synchronisation point returns why.
TEST(Refusals, APutThatAllRefuseCostsTheFileNothing) {
  for (const Settings& settings : k_places) {
    SCOPED_TRACE(settings.front().second);
    Eight eight(settings);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(SCORPIO_ERR_HANDLE, eight.put(eight.v + 1));
      EXPECT_SUCCESS(eight.put(eight.v));
    }
    EXPECT_EQ(SCORPIO_ERR_HANDLE, scorpio_file_sync(eight.file));
    EXPECT_TRUE(equal_on_all(last_text())) << last_text();
    EXPECT_SUCCESS(scorpio_file_sync(eight.file));
    eight.expect_all();
    EXPECT_EQ(SCORPIO_ERR_HANDLE, eight.put(-1));
    EXPECT_EQ(SCORPIO_ERR_HANDLE, eight.get(eight.v));  // reads, and tells of the put
    eight.expect_all();
    EXPECT_SUCCESS(scorpio_file_close(eight.file));
    EXPECT_TRUE(fs::exists(eight.path));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// The same if requests, of which one reads, are carried out before all ranks return the failure.
TEST(Refusals, APutThatAllRefuseCostsPendingRequestsNothing) {
  for (const Settings& settings : k_places) {
    for (const bool closing : {false, true}) {
      SCOPED_TRACE(settings.front().second + (closing ? " close" : " sync"));
      Eight eight(settings);
      const int64_t start = 0, count = 8;
      if (rank_in() == ranks_in() - 1) {
        EXPECT_SUCCESS(
            iget(eight.file, scorpio_hyperslab(eight.v, &start, &count, SCORPIO_INT32, eight.back.data())));
      }
      EXPECT_EQ(SCORPIO_ERR_HANDLE, eight.put(eight.v + 1));
      EXPECT_EQ(SCORPIO_ERR_HANDLE, closing ? scorpio_file_close(eight.file) : scorpio_file_sync(eight.file));
      EXPECT_TRUE(equal_on_all(last_text())) << last_text();
      if (rank_in() == ranks_in() - 1) {
        EXPECT_EQ(eight.sevens, eight.back);
      }
      EXPECT_TRUE(fs::exists(eight.path));
      if (closing) {
        ASSERT_SUCCESS(
            scorpio_file_open(eight.system.get(), eight.path.c_str(), SCORPIO_READ, nullptr, &eight.file));
      }
      eight.expect_all();
      EXPECT_SUCCESS(scorpio_file_close(eight.file));
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

// What the ranks have put lies in the file before any of them gets, so nothing is lost.
TEST(Refusals, AGetThatOneRankRefusesCostsTheFileNothing) {
  for (const Settings& settings : k_places) {
    SCOPED_TRACE(settings.front().second);
    Eight eight(settings);
    for (const int culprit : {0, ranks_in() - 1}) {
      EXPECT_SUCCESS(eight.put(eight.v));
      EXPECT_EQ(SCORPIO_ERR_HANDLE, eight.get(rank_in() == culprit ? eight.v + 1 : eight.v));
      EXPECT_TRUE(equal_on_all(last_text())) << last_text();
      eight.expect_all();
      EXPECT_SUCCESS(scorpio_file_sync(eight.file));
    }
    EXPECT_SUCCESS(eight.put(eight.v));
    EXPECT_SUCCESS(scorpio_file_close(eight.file));
    EXPECT_TRUE(fs::exists(eight.path));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// Nobody waits for ever; what comes of it is the same on all ranks.
TEST(Refusals, NoVariablesOnOneRankAlone) {
  for (const char* nodes : {"0", "2"}) {
    Eight eight(nodes);
    EXPECT_SUCCESS(scorpio_file_sync(eight.file));
    void* const data[] = {eight.back.data()};
    const auto get_n_variables = [&](int n) {
      return get_n(eight.file, darrays(n, &eight.v, eight.rows.get(), nullptr, SCORPIO_INT32, data));
    };
    EXPECT_SUCCESS(get_n_variables(0));
    EXPECT_SUCCESS(eight.get(eight.v));
    if (ranks_in() > 1) eight.system.expect_ended();  // one rank has no decomposition to get by
    const int code = get_n_variables(ranks_in() > 1 && rank_in() == 0 ? 0 : 1);
    EXPECT_EQ(ranks_in() == 1 ? SCORPIO_OK : SCORPIO_ERR_MISMATCH, code) << last_text();
    EXPECT_TRUE(equal_on_all(std::to_string(code) + last_text()));
    (void)scorpio_file_close(eight.file);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(Refusals, NamesThatHdf5CannotKeep) {
  const TemporaryFolder folder;
  const System system;
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(code_of_create(system, folder / "a", file));
  int x = -1;
  for (const char* name : {"", ".", ".."}) {
    EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_dimension_define(file, name, 4, &x)) << name;
  }
  EXPECT_SUCCESS(scorpio_dimension_define(file, "x", 4, &x));
  EXPECT_EQ(SCORPIO_ERR_NAME, scorpio_dimension_rename(file, x, "."));
  const int64_t many = INT64_MAX;
  EXPECT_EQ(SCORPIO_ERR_LIMIT, scorpio_attribute_put(file, SCORPIO_GLOBAL, "long", SCORPIO_INT32, 0, 1, &many,
                                                     SCORPIO_INT32, &many));
  EXPECT_SUCCESS(scorpio_file_close(file));
}

std::vector<char> bytes_of(const std::string& path) { return test::whole_file<std::vector<char>>(path); }

// A change of a file that was there, in which the k-th write fails: close says so, and the file is as it was,
// also for readers that know nothing of journals.
bool change_with_fault(const std::string& path, int k) {
  const System system(
      Settings{{"store_faults", "write:" + std::to_string(k) + "=ENOSPC"}, {"io_ranks", "1"}});
  scorpio_file* file = nullptr;
  EXPECT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_WRITE, nullptr, &file));
  const int64_t extent = 30000;
  int v = -1;
  for (const char* name : {"one", "two", "three"}) {
    EXPECT_SUCCESS(scorpio_variable_define(file, name, SCORPIO_INT32, 1, &extent, &v));
  }
  EXPECT_SUCCESS(scorpio_object_remove(file, "old"));
  return scorpio_file_close(file) == SCORPIO_OK;
}

TEST(Refusals, AFailedChangeLeavesTheFileAsItWas) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.h5", old = folder / "old.h5";
  {
    const System system;
    scorpio_file* file = nullptr;
    ASSERT_SUCCESS(code_of_create(system, old, file));
    const int64_t extent = 100;
    int v = -1;
    EXPECT_SUCCESS(scorpio_variable_define(file, "old", SCORPIO_INT32, 1, &extent, &v));
    EXPECT_SUCCESS(scorpio_variable_define(file, "kept", SCORPIO_INT32, 1, &extent, &v));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  const std::vector<char> before = bytes_of(old);
  int failures = 0;
  for (int k = 1; k <= 12; ++k) {
    at_rank_zero([&] { fs::copy_file(old, path, fs::copy_options::overwrite_existing); });
    const bool well = change_with_fault(path, k);
    EXPECT_TRUE(equal_on_all(std::to_string(well)));
    std::vector<char> after = bytes_of(path);
    MPI_Barrier(MPI_COMM_WORLD);
    if (well) continue;
    ++failures;
    ASSERT_GE(after.size(), before.size());
    after.resize(before.size());  // new space that nothing refers to may stay
    EXPECT_TRUE(before == after) << "write " << k;
  }
  EXPECT_GE(failures, 2);
}

constexpr int64_t k_columns = 20000;

std::vector<double> records_of(const System& system, const std::string& path) {
  scorpio_file* file = nullptr;
  int v = -1;
  std::vector<double> values(2 * k_columns, -1.0);
  EXPECT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
  EXPECT_SUCCESS(scorpio_variable_find(file, "v", &v));
  const int64_t start[2] = {0, 0}, count[2] = {2, k_columns};
  const scorpio_access all = scorpio_hyperslab(v, start, count, SCORPIO_FLOAT64, values.data());
  EXPECT_SUCCESS(scorpio_get(file, &all));
  EXPECT_SUCCESS(scorpio_file_close(file));
  return values;
}

// The definitions need a longer header, and the file cannot be moved: what is called then writes nothing to
// it.
void define_with_fault(const std::string& path, int k) {
  const System system(
      Settings{{"store_faults", "write:" + std::to_string(k) + "=ENOSPC"}, {"io_ranks", "1"}});
  scorpio_file* file = nullptr;
  ASSERT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_WRITE, nullptr, &file));
  EXPECT_SUCCESS(scorpio_define_begin(file));
  int x = -1, filled = -1;
  EXPECT_SUCCESS(scorpio_file_fill_set(file, 1, nullptr));
  EXPECT_SUCCESS(scorpio_dimension_define(file, "more", 100, &x));
  EXPECT_SUCCESS(scorpio_variable_define_on(file, "filled", SCORPIO_FLOAT64, 1, &x, &filled));
  const std::string text(40000, 'a');
  EXPECT_SUCCESS(scorpio_attribute_put_text(file, SCORPIO_GLOBAL, "long", text.c_str()));
  const int ended = scorpio_define_end(file);
  for (int i = 0; i < 2; ++i) {
    const int synchronised = scorpio_file_sync(file);
    EXPECT_TRUE(ended == SCORPIO_OK || synchronised != SCORPIO_OK);
  }
  (void)scorpio_file_close(file);
}

TEST(Refusals, AHeaderThatFindsNoRoomLeavesTheDataOfAClassicFile) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.nc", old = folder / "old.nc";
  const System system(Settings{{"format", "cdf5"}});
  std::vector<double> values(2 * k_columns);
  std::iota(values.begin(), values.end(), 1.0);
  {
    scorpio_file* file = nullptr;
    int axes[2] = {-1, -1}, v = -1;
    ASSERT_SUCCESS(code_of_create(system, old, file));
    EXPECT_SUCCESS(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &axes[0]));
    EXPECT_SUCCESS(scorpio_dimension_define(file, "x", k_columns, &axes[1]));
    EXPECT_SUCCESS(scorpio_variable_define_on(file, "v", SCORPIO_FLOAT64, 2, axes, &v));
    const int64_t start[2] = {0, 0}, count[2] = {2, k_columns};
    scorpio_access all = scorpio_hyperslab(v, start, count, SCORPIO_FLOAT64, values.data());
    all.sharing = SCORPIO_ALL_RANKS;
    EXPECT_SUCCESS(scorpio_put(file, &all));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  for (int k = 1; k <= 6; ++k) {
    at_rank_zero([&] { fs::copy_file(old, path, fs::copy_options::overwrite_existing); });
    define_with_fault(path, k);
    EXPECT_EQ(values, records_of(system, path)) << "write " << k;
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// A chunk of which a part was put is completed by a get, which cannot read the rest of it.
TEST(Refusals, AGetThatFailsLosesNoPutInSilence) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.nc", old = folder / "old.nc";
  const int64_t extent = 4096, half = 2048, chunk = 4096;
  const std::vector<double> before(4096, 1.0), after(2048, 2.0);
  const int64_t start = 0;
  {
    const System system(Settings{{"format", "netcdf4"}, {"io_ranks", "1"}});
    scorpio_file* file = nullptr;
    int x = -1, v = -1;
    ASSERT_SUCCESS(code_of_create(system, old, file));
    EXPECT_SUCCESS(scorpio_dimension_define(file, "x", extent, &x));
    EXPECT_SUCCESS(scorpio_variable_define_on(file, "v", SCORPIO_FLOAT64, 1, &x, &v));
    EXPECT_SUCCESS(scorpio_variable_define_chunks(file, v, &chunk));
    const int deflate = 1, level = 1;
    EXPECT_SUCCESS(scorpio_variable_define_filters(file, v, 1, &deflate, &level));
    scorpio_access all = scorpio_hyperslab(v, &start, &extent, SCORPIO_FLOAT64, before.data());
    all.sharing = SCORPIO_ALL_RANKS;
    EXPECT_SUCCESS(scorpio_put(file, &all));
    EXPECT_SUCCESS(scorpio_file_close(file));
  }
  int lost = 0;
  for (int k = 1; k <= 24; ++k) {
    at_rank_zero([&] { fs::copy_file(old, path, fs::copy_options::overwrite_existing); });
    const System system(Settings{{"store_faults", "read:" + std::to_string(k) + "=EIO"}, {"io_ranks", "1"}});
    scorpio_file* file = nullptr;
    int v = -1;
    if (scorpio_file_open(system.get(), path.c_str(), SCORPIO_WRITE, nullptr, &file) != SCORPIO_OK) continue;
    EXPECT_SUCCESS(scorpio_variable_find(file, "v", &v));
    scorpio_access part = scorpio_hyperslab(v, &start, &half, SCORPIO_FLOAT64, after.data());
    part.sharing = SCORPIO_ALL_RANKS;
    const int put = scorpio_put(file, &part);
    std::vector<double> found(2048);
    part.data = found.data();
    const int got = scorpio_get(file, &part);
    const int closed = scorpio_file_close(file);
    EXPECT_TRUE(equal_on_all(std::to_string(closed)));
    lost += closed == SCORPIO_OK ? 0 : 1;
    if (put != SCORPIO_OK || closed != SCORPIO_OK) continue;
    const System reader(Settings{});
    ASSERT_SUCCESS(scorpio_file_open(reader.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    EXPECT_SUCCESS(scorpio_get(file, &part));
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_EQ(after, found) << "read " << k << ", get " << got;
  }
  EXPECT_GT(lost, 0);
}

}  // namespace
}  // namespace scorpio::api_test
