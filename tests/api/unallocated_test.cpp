// Templates of h5py and netCDF-C: contiguous variables that another program has defined and not put have no
// space in the file. They are read as fill values, and get space when they are put.
#include <cmath>
#include <numeric>

#include "layout.h"
#include "support/python.h"

namespace scorpio::api_test {
namespace {

struct Case {
  const char* maker;
  const char* nodes;  // an option
  bool chunks_first;  // encoded chunks are put before
  bool posted;        // syncs and closes are completed by later calls
};

class Unallocated : public testing::TestWithParam<Case> {
 protected:
  Unallocated()
      : system_({{"staging_bytes", "256k"},
                 {"nodes", GetParam().nodes},
                 {"asynchronous", GetParam().posted ? "true" : "false"},
                 {"sync", GetParam().posted ? "post" : "wait"},
                 {"close", GetParam().posted ? "post" : "wait"}}) {}

  int run(const char* what) {
    return test::run_python("api/unallocated.py", {GetParam().maker, what, path_});
  }
  void open(scorpio_open_mode mode = SCORPIO_WRITE) {
    ASSERT_SUCCESS(scorpio_file_open(system_.get(), path_.c_str(), mode, nullptr, &file_));
  }
  void close() {
    EXPECT_SUCCESS(scorpio_file_close(file_));
    EXPECT_SUCCESS(scorpio_iosystem_wait(system_.get(), nullptr));
  }
  int find(const char* name) {
    int variable = -1;
    EXPECT_SUCCESS(scorpio_variable_find(file_, name, &variable));
    return variable;
  }

  static double value(int k, int64_t element) {
    return static_cast<double>((31 * element + 17 * k) % 120 + 1);
  }
  static std::vector<double> values(int k, int64_t elements) {
    std::vector<double> all;
    for (int64_t e = 0; e < elements; ++e) all.push_back(value(k, e));
    return all;
  }
  double unfilled(double netcdf = 9.9692099683868690e+36) const {
    return std::string(GetParam().maker) != "netCDF4" ? 0 : netcdf;
  }

  int put_all_ranks(const char* name, const Extents& start, const Extents& count, std::vector<double> data) {
    scorpio_access access =
        scorpio_hyperslab(find(name), start.data(), count.data(), SCORPIO_FLOAT64, data.data());
    access.sharing = SCORPIO_ALL_RANKS;
    access.root = ranks_in() - 1;
    return scorpio_put(file_, &access);
  }
  std::vector<double> get(const char* name, const Extents& dims) {
    const Extents start(dims.size(), 0);
    std::vector<double> found(static_cast<size_t>(elements_of(dims)), -77);
    scorpio_access access =
        scorpio_hyperslab(find(name), start.data(), dims.data(), SCORPIO_FLOAT64, found.data());
    access.sharing = SCORPIO_ALL_RANKS;
    EXPECT_SUCCESS(scorpio_get(file_, &access)) << name;
    return found;
  }
  void put_by(const char* name, const Extents& dims, int k, int64_t record = 0,
              const double* fill = nullptr) {
    const Layout layout = uniform_layout(dims, ranks_in());
    const Decomp decomp(system_, layout);
    std::vector<double> data;
    for (const int64_t e : layout.of(rank_in())) data.push_back(value(k, e));
    scorpio_access access = scorpio_darray(find(name), decomp.get(), record, SCORPIO_FLOAT64, data.data());
    access.fill = fill;
    EXPECT_SUCCESS(scorpio_put(file_, &access)) << name;
  }
  // The elements of even index along the last dimension.
  void put_with_holes(const char* name, int k, double fill) {
    std::vector<std::vector<int64_t>> index(static_cast<size_t>(ranks_in()));
    for (int64_t e = 0; e < 120; e += 2) index[static_cast<size_t>(e / 2 % ranks_in())].push_back(e);
    const Layout layout = map_layout({12, 10}, index);
    const Decomp decomp(system_, layout);
    std::vector<double> data;
    for (const int64_t e : layout.of(rank_in())) data.push_back(value(k, e));
    scorpio_access access = scorpio_darray(find(name), decomp.get(), 0, SCORPIO_FLOAT64, data.data());
    access.fill = &fill;
    EXPECT_SUCCESS(scorpio_put(file_, &access)) << name;
  }
  // The last rank puts, and all ranks get, in one wait.
  void post_inner() {
    const int64_t start = 1, two = 2, zero = 0, four = 4;
    short data[] = {11, 12};
    short found[4] = {};
    scorpio_request request = SCORPIO_REQUEST_NULL;
    const scorpio_access all = scorpio_hyperslab(find("g/inner"), &zero, &four, SCORPIO_INT16, found);
    EXPECT_SUCCESS(scorpio_iget(file_, &all, &request));
    const scorpio_access part = scorpio_hyperslab(find("g/inner"), &start, &two, SCORPIO_INT16, data);
    if (rank_in() == ranks_in() - 1) {
      EXPECT_SUCCESS(scorpio_iput(file_, &part, &request));
    }
    EXPECT_SUCCESS(scorpio_wait(file_, SCORPIO_ALL_REQUESTS, nullptr, nullptr));
    EXPECT_EQ((std::vector<short>{-3, 11, 12, -3}), std::vector<short>(found, found + 4));
  }

  void expect_unput() {
    for (const char* name : {"plain", "filled", "big", "untouched"}) {
      int readable = 0, writable = 0;
      EXPECT_SUCCESS(
          scorpio_variable_access_inquire(file_, find(name), &readable, &writable, nullptr, 0, nullptr));
      EXPECT_TRUE(readable == 1 && writable == 1) << name;
    }
    EXPECT_EQ(std::vector<double>(120, unfilled()), get("plain", {12, 10}));
    EXPECT_EQ(std::vector<double>(120, 7), get("filled", {12, 10}));
    EXPECT_EQ(std::vector<double>(120, -1.5), get("big", {12, 10}));
    EXPECT_EQ(std::vector<double>(1, unfilled()), get("scalar", {}));
  }
  void put_all() {
    if (GetParam().chunks_first) put_by("chunked", {12, 10}, 8);
    put_by("plain", {12, 10}, 1);
    EXPECT_SUCCESS(put_all_ranks("filled", {2, 0}, {2, 10}, values(2, 20)));
    put_by("big", {10}, 3, 5);
    EXPECT_SUCCESS(put_all_ranks("scalar", {}, {}, {42}));
    put_with_holes("any", 5, 9);
    post_inner();
    if (!GetParam().chunks_first) put_by("chunked", {12, 10}, 8);
  }
  void expect_all() {
    EXPECT_EQ(values(1, 120), get("plain", {12, 10}));
    std::vector<double> filled(120, 7), big(120, -1.5);
    std::ranges::copy(values(2, 20), filled.begin() + 20);
    std::ranges::copy(values(3, 10), big.begin() + 50);
    EXPECT_EQ(filled, get("filled", {12, 10}));
    EXPECT_EQ(big, get("big", {12, 10}));
    EXPECT_EQ(std::vector<double>(1, 42), get("scalar", {}));
    EXPECT_EQ((std::vector<double>{-3, 11, 12, -3}), get("g/inner", {4}));
    EXPECT_EQ(values(9, 120), get("written", {12, 10}));
    EXPECT_EQ(values(8, 120), get("chunked", {12, 10}));
    EXPECT_EQ(std::vector<double>(100000, unfilled()), get("untouched", {100000}));
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "template.nc";
  const System system_;
  scorpio_file* file_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Makers, Unallocated,
                         testing::Values(Case{"h5py", "0", false, false}, Case{"h5py", "0", true, false},
                                         Case{"h5py_userblock", "0", false, false},
                                         Case{"netCDF4", "0", true, false},
                                         Case{"netCDF4", "2", false, false}, Case{"h5py", "2", true, false},
                                         Case{"h5py", "0", false, true}, Case{"netCDF4", "2", true, true}),
                         [](const auto& one) {
                           return std::string(one.param.maker) + "On" +
                                  (one.param.nodes[0] == '0' ? "One" : "Two") +
                                  (one.param.chunks_first ? "ChunksFirst" : "") +
                                  (one.param.posted ? "Posted" : "");
                         });

TEST_P(Unallocated, ArePutInEveryWay) {
  if (std::string(GetParam().nodes) == "2" && ranks_in() < 2) GTEST_SKIP() << "it takes two ranks";
  const int made = run("make");
  if (made == 77) GTEST_SKIP() << "h5py or netCDF4 is not here";
  ASSERT_EQ(0, made);
  open();
  expect_unput();
  put_all();
  expect_all();
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  expect_all();
  put_by("plain", {12, 10}, 4);
  put_by("plain", {12, 10}, 1);
  close();
  EXPECT_EQ(0, run("check"));
  EXPECT_EQ(0, run("continue"));
  open();
  EXPECT_SUCCESS(put_all_ranks("untouched", {99999}, {1}, {6}));
  close();
  EXPECT_EQ(0, run("check_again"));
  EXPECT_EQ(0, system_.counter("relocated"));
}

// Puts that fail on some ranks, or on all, give no space, and cost the file nothing. A posted close of a file
// with chunks leaves the earlier file to readers until a later call.
TEST_P(Unallocated, WrongPuts) {
  if (std::string(GetParam().nodes) == "2" && ranks_in() < 2) GTEST_SKIP() << "it takes two ranks";
  const int made = run("make");
  if (made == 77) GTEST_SKIP() << "h5py or netCDF4 is not here";
  ASSERT_EQ(0, made);
  open();
  const Layout other = uniform_layout({12, 11}, ranks_in()), good = uniform_layout({12, 10}, ranks_in());
  const Decomp wrong(system_, other), right(system_, good);
  std::vector<double> data(200, 1);
  const auto put = [&](const char* name, bool mine) {
    return scorpio_put_darray(file_, find(name), mine ? wrong.get() : right.get(), 0, SCORPIO_FLOAT64,
                              data.data());
  };
  EXPECT_EQ(SCORPIO_ERR_SHAPE, put("plain", true));
  EXPECT_TRUE(equal_on_all(last_text())) << last_text();
  EXPECT_EQ(SCORPIO_ERR_SHAPE, put("plain", rank_in() == ranks_in() - 1));
  EXPECT_TRUE(equal_on_all(last_text())) << last_text();
  EXPECT_EQ(SCORPIO_ERR_SHAPE, put_all_ranks("untouched", {99999}, {2}, {6, 7}));
  EXPECT_SUCCESS(scorpio_file_sync(file_));
  put_all();
  EXPECT_SUCCESS(scorpio_file_close(file_));
  if (GetParam().posted) {
    EXPECT_EQ(0, run("check_unput"));
  }
  EXPECT_SUCCESS(scorpio_iosystem_wait(system_.get(), nullptr));
  EXPECT_EQ(0, run("check"));
}

}  // namespace
}  // namespace scorpio::api_test
