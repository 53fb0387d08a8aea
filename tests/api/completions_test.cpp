// scorpio_iosystem_on_completion: the application's function is called for each written file, on all ranks in
// the same order, at the end of the call that has completed it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "layout.h"
#include "session.h"

namespace scorpio::api_test {
namespace {

constexpr int64_t k_rows = 210, k_columns = 64;  // of float64

struct Told {
  std::vector<std::string> files;  // "NAME CODE"
  scorpio_iosystem* system = nullptr;
  std::string then;  // not empty: a file that the function creates and closes, once
};

void write(scorpio_iosystem* system, const std::string& path) {
  scorpio_file* file = nullptr;
  const int created = scorpio_file_create(system, path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file);
  EXPECT_TRUE(created == SCORPIO_OK || created == SCORPIO_ERR_POSTED) << last_text();
  const int64_t dims[2] = {k_rows, k_columns};
  int variable = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 2, dims, &variable));
  EXPECT_SUCCESS(scorpio_define_end(file));
  const int64_t mine = k_rows / ranks_in();
  const int64_t start[2] = {rank_in() * mine, 0}, count[2] = {mine, k_columns};
  std::vector<double> values(static_cast<size_t>(mine * k_columns));
  std::iota(values.begin(), values.end(), rank_in());
  const scorpio_access access = scorpio_hyperslab(variable, start, count, SCORPIO_FLOAT64, values.data());
  const int put = scorpio_put(file, &access);
  EXPECT_TRUE(put == SCORPIO_OK || put == SCORPIO_ERR_NO_SPACE) << last_text();
  const int closed = scorpio_file_close(file);
  EXPECT_TRUE(closed == SCORPIO_OK || closed == SCORPIO_ERR_POSTED || closed == SCORPIO_ERR_NO_SPACE)
      << last_text();
}

void note(const char* path, int code, void* data) {
  Told& told = *static_cast<Told*>(data);
  const std::filesystem::path file(path);
  EXPECT_TRUE(file.is_absolute()) << path;
  EXPECT_EQ(code == SCORPIO_OK, std::filesystem::exists(file)) << path;
  told.files.push_back(fmt::format("{} {}", file.filename().string(), code));
  if (told.then.empty()) return;
  const std::string then = std::exchange(told.then, {});
  write(told.system, then);
}

class Completions : public testing::TestWithParam<bool> {  // whether the close is posted
 protected:
  static Settings settings(const std::string& format, const std::string& faults = "") {
    Settings all{{"asynchronous", GetParam() ? "true" : "false"},
                 {"close", GetParam() ? "post" : "wait"},
                 {"staging_bytes", "4m"},
                 {"block_bytes", "64k"},
                 {"format", format}};
    if (!faults.empty()) all.emplace_back("store_faults", faults);
    return all;
  }
  // Also that all ranks were told the same.
  static void expect_told(const std::vector<std::string>& expected, const Told& told) {
    EXPECT_EQ(expected, told.files);
    EXPECT_TRUE(equal_on_all(fmt::format("{}", fmt::join(told.files, ","))));
  }

  const TemporaryFolder folder_;
};

TEST_P(Completions, AreToldOnceAndInOrder) {
  for (const char* format : {"cdf5", "hdf5", "netcdf4"}) {
    Told told;
    const System system(settings(format));
    EXPECT_SUCCESS(scorpio_iosystem_on_completion(system.get(), note, &told));
    write(system.get(), folder_ / fmt::format("a.{}", format));
    write(system.get(), folder_ / fmt::format("b.{}", format));
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
    const std::vector<std::string> both{fmt::format("a.{} 0", format), fmt::format("b.{} 0", format)};
    expect_told(both, told);
    // A file that was only read is not told.
    scorpio_file* file = nullptr;
    const std::string path = folder_ / fmt::format("a.{}", format);
    EXPECT_SUCCESS(scorpio_file_open(system.get(), path.c_str(), SCORPIO_READ, nullptr, &file));
    EXPECT_SUCCESS(scorpio_file_close(file));
    EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
    expect_told(both, told);
  }
}

TEST_P(Completions, TheEndOfTheSystemTellsTheRest) {
  Told told;
  {
    const System system(settings("cdf5"));
    EXPECT_SUCCESS(scorpio_iosystem_on_completion(system.get(), note, &told));
    for (const char* name : {"a", "b", "c"}) write(system.get(), folder_ / name);
  }
  expect_told({"a 0", "b 0", "c 0"}, told);
}

TEST_P(Completions, TheFunctionMakesCollectiveCalls) {
  Told told;
  const System system(settings("hdf5"));
  told.system = system.get();
  told.then = folder_ / "pointer";
  EXPECT_SUCCESS(scorpio_iosystem_on_completion(system.get(), note, &told));
  write(system.get(), folder_ / "restart");
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  expect_told({"restart 0", "pointer 0"}, told);
}

TEST_P(Completions, AFileThatFailsIsToldWithItsCode) {
  Told told;
  const System system(settings("cdf5", "write:1+=ENOSPC"));
  EXPECT_SUCCESS(scorpio_iosystem_on_completion(system.get(), note, &told));
  write(system.get(), folder_ / "full");
  const int code = scorpio_iosystem_wait(system.get(), nullptr);
  EXPECT_TRUE(code == SCORPIO_OK || code == SCORPIO_ERR_POSTED) << last_text();
  expect_told({fmt::format("full {}", static_cast<int>(SCORPIO_ERR_NO_SPACE))}, told);
}

// The file has its name and all other data.
TEST_P(Completions, AFileWithClippedValuesIsComplete) {
  Told told;
  const System system(settings("cdf5"));
  EXPECT_SUCCESS(scorpio_iosystem_on_completion(system.get(), note, &told));
  scorpio_file* file = nullptr;
  const std::string path = folder_ / "clipped";
  ASSERT_SUCCESS(scorpio_file_create(system.get(), path.c_str(), SCORPIO_FORMAT_DEFAULT, nullptr, &file));
  const Layout layout = uniform_layout({ranks_in()}, ranks_in());
  const Decomp decomp(system, layout);
  int variable = -1;
  EXPECT_SUCCESS(scorpio_variable_define(file, "v", SCORPIO_INT16, 1, layout.dims.data(), &variable));
  EXPECT_SUCCESS(scorpio_define_end(file));
  const int32_t value = 100000;
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_put_darray(file, variable, decomp.get(), 0, SCORPIO_INT32, &value));
  EXPECT_EQ(SCORPIO_ERR_RANGE, scorpio_file_close(file));
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  expect_told({"clipped 0"}, told);
}

TEST_P(Completions, WithoutAFunctionNobodyIsTold) {
  Told first, second;
  const System system(settings("cdf5"));
  EXPECT_SUCCESS(scorpio_iosystem_on_completion(system.get(), note, &first));
  EXPECT_SUCCESS(scorpio_iosystem_on_completion(system.get(), note, &second));
  write(system.get(), folder_ / "a");
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  EXPECT_SUCCESS(scorpio_iosystem_on_completion(system.get(), nullptr, nullptr));
  write(system.get(), folder_ / "b");
  EXPECT_SUCCESS(scorpio_iosystem_wait(system.get(), nullptr));
  expect_told({}, first);
  expect_told({"a 0"}, second);
}

INSTANTIATE_TEST_SUITE_P(Close, Completions, testing::Bool(),
                         [](const auto& one) { return one.param ? "Posted" : "Waited"; });

}  // namespace
}  // namespace scorpio::api_test
