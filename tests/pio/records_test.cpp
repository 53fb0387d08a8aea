// Decompositions of all dimensions of a variable whose first one is unlimited, without a frame: the array is
// a number of records from record 0 on, with frames of the same variable before and after it.
#include <algorithm>
#include <numeric>

#include "program.h"

namespace scorpio::pio_test {
namespace {

constexpr int k_records = 4, k_y = 3, k_x = 5, k_of_record = k_y * k_x, k_all = k_records * k_of_record;
constexpr int k_fill = -5;

class Records : public Program {
 protected:
  int file_of(const std::string& name) {
    const int file = create(name);
    time_ = dimension(file, "time", PIO_UNLIMITED);
    const int y = dimension(file, "y", k_y), x = dimension(file, "x", k_x);
    v_ = variable(file, "v", PIO_INT, {time_, y, x});
    other_ = variable(file, "other", PIO_DOUBLE, {time_, y, x});
    series_ = variable(file, "series", PIO_INT, {time_});
    fixed_ = variable(file, "fixed", PIO_INT, {dimension(file, "steps", k_records), y, x});
    EXPECT_DONE(PIOc_enddef(file));
    return file;
  }
  // The value of each element is its index in the array, from `offset` on.
  static std::vector<int> values(const std::vector<PIO_Offset>& map, int offset) {
    std::vector<int> values;
    for (const PIO_Offset at : map) values.push_back(offset + static_cast<int>(at) - 1);
    return values;
  }
  static int write(int file, int variable, int decomposition, const std::vector<int>& values) {
    return PIOc_write_darray(file, variable, decomposition, static_cast<PIO_Offset>(values.size()),
                             values.data(), &k_fill);
  }
  static int read(int file, int variable, int decomposition, std::vector<int>& values) {
    return PIOc_read_darray(file, variable, decomposition, static_cast<PIO_Offset>(values.size()),
                            values.data());
  }
  int whole() { return decomposition(PIO_INT, {k_records, k_y, k_x}, map_); }
  static PIO_Offset length(int file, int dimension) {
    PIO_Offset length = -1;
    EXPECT_DONE(PIOc_inq_dimlen(file, dimension, &length));
    return length;
  }
  static std::vector<int> all(int file, int variable, int elements) {
    std::vector<int> all(static_cast<size_t>(elements), -77);
    EXPECT_DONE(PIOc_get_var_int(file, variable, all.data()));
    return all;
  }
  static std::vector<int> numbers(int elements, int offset) {
    std::vector<int> all(static_cast<size_t>(elements));
    std::iota(all.begin(), all.end(), offset);
    return all;
  }

  const std::vector<PIO_Offset> map_ = round_robin(k_all);
  int time_ = -1, v_ = -1, other_ = -1, series_ = -1, fixed_ = -1;
};

TEST_F(Records, AreWrittenByOneCall) {
  const int file = file_of("a.nc");
  const int d = whole();
  EXPECT_DONE(write(file, v_, d, values(map_, 0)));
  EXPECT_DONE(write(file, other_, d, values(map_, 100)));
  EXPECT_DONE(write(file, fixed_, d, values(map_, 200)));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_EQ(k_records, length(file, time_));
  EXPECT_EQ(numbers(k_all, 0), all(file, v_, k_all));
  EXPECT_EQ(numbers(k_all, 100), all(file, other_, k_all));
  EXPECT_EQ(numbers(k_all, 200), all(file, fixed_, k_all));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Records, AreReadByOneCall) {
  int file = file_of("a.nc");
  const int d = whole();
  EXPECT_DONE(write(file, v_, d, values(map_, 0)));
  for (const bool reopened : {false, true}) {
    if (reopened) {
      EXPECT_DONE(PIOc_closefile(file));
      file = open("a.nc");
    }
    std::vector<int> got(map_.size());
    EXPECT_DONE(read(file, v_, d, got));
    EXPECT_EQ(values(map_, 0), got);
    // The first two records, with a hole in memory.
    std::vector<PIO_Offset> two = round_robin(2 * k_of_record);
    two.insert(two.begin(), 0);
    got.assign(two.size(), -1);
    const int first = decomposition(PIO_INT, {2, k_y, k_x}, two);
    EXPECT_DONE(read(file, v_, first, got));
    EXPECT_EQ(-1, got[0]);
    for (size_t i = 1; i < two.size(); ++i) EXPECT_EQ(two[i] - 1, got[i]);
    const auto more = round_robin((k_records + 1) * k_of_record);
    const int beyond = decomposition(PIO_INT, {k_records + 1, k_y, k_x}, more);
    got.resize(more.size());
    EXPECT_EQ(PIO_EINVALCOORDS, read(file, v_, beyond, got)) << "there are four records";
    for (const int one : {first, beyond}) EXPECT_DONE(PIOc_freedecomp(system_, one));
  }
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Records, HolesGetTheFillValue) {
  const int file = file_of("a.nc");
  auto few = map_;
  std::erase_if(few, [](PIO_Offset at) { return at % 7 == 0; });
  const int d = decomposition(PIO_INT, {k_records, k_y, k_x}, few);
  EXPECT_DONE(write(file, v_, whole(), values(map_, 0)));
  EXPECT_DONE(write(file, v_, d, values(few, 100)));
  auto expected = numbers(k_all, 100);
  for (int i = 0; i < k_all; ++i) {
    if ((i + 1) % 7 == 0) expected[static_cast<size_t>(i)] = k_fill;
  }
  EXPECT_EQ(expected, all(file, v_, k_all));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Records, OfAVariableOfOneDimension) {
  int file = file_of("a.nc");
  constexpr int k_steps = 6;
  const auto map = round_robin(k_steps);
  const int d = decomposition(PIO_INT, {k_steps}, map);
  EXPECT_DONE(PIOc_setframe(file, series_, 2));  // which such variables ignore
  EXPECT_DONE(write(file, series_, d, values(map, 10)));
  EXPECT_DONE(PIOc_closefile(file));
  file = open("a.nc", PIO_WRITE);
  EXPECT_EQ(k_steps, length(file, time_));
  EXPECT_EQ(numbers(k_steps, 10), all(file, series_, k_steps));
  std::vector<int> got(map.size());
  EXPECT_DONE(read(file, series_, d, got));
  EXPECT_EQ(values(map, 10), got);
  EXPECT_DONE(write(file, series_, d, values(map, 20)));
  EXPECT_EQ(numbers(k_steps, 20), all(file, series_, k_steps));
  EXPECT_DONE(PIOc_closefile(file));
}

// Writes take effect in the order of the calls, by frames and without.
TEST_F(Records, AndFramesKeepTheOrderOfCalls) {
  const int file = file_of("a.nc");
  const auto one = round_robin(k_of_record);
  const int d = whole(), frame = decomposition(PIO_INT, {k_y, k_x}, one);
  EXPECT_DONE(PIOc_setframe(file, v_, 1));
  EXPECT_EQ(PIO_EINVAL, write(file, v_, d, values(map_, 0))) << "the frame counts the first dimension";
  EXPECT_DONE(write(file, v_, frame, values(one, 500)));
  EXPECT_DONE(PIOc_setframe(file, v_, -1));
  EXPECT_DONE(write(file, v_, d, values(map_, 0)));
  EXPECT_DONE(PIOc_setframe(file, v_, 2));
  EXPECT_DONE(write(file, v_, frame, values(one, 700)));
  EXPECT_DONE(PIOc_setframe(file, v_, k_records));
  EXPECT_DONE(write(file, v_, frame, values(one, 900)));
  EXPECT_DONE(PIOc_sync(file));
  auto expected = numbers(k_all + k_of_record, 0);
  std::iota(expected.begin() + 2 * k_of_record, expected.begin() + 3 * k_of_record, 700);
  std::iota(expected.begin() + k_all, expected.end(), 900);
  EXPECT_EQ(expected, all(file, v_, k_all + k_of_record));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Records, SeveralVariablesAtOnce) {
  const int file = file_of("a.nc");
  const int second = other_;
  const int variables[] = {v_, second};
  auto both = values(map_, 0);
  const auto more = values(map_, 50);
  both.insert(both.end(), more.begin(), more.end());
  EXPECT_DONE(PIOc_write_darray_multi(file, variables, whole(), 2, static_cast<PIO_Offset>(map_.size()),
                                      both.data(), nullptr, nullptr, true));
  EXPECT_EQ(numbers(k_all, 0), all(file, v_, k_all));
  EXPECT_EQ(numbers(k_all, 50), all(file, second, k_all));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Records, AWriteThatOneRankLacks) {
  if (ranks() == 1) GTEST_SKIP();
  const int file = file_of("a.nc");
  const int d = whole();
  const bool wrong = rank() == 0;
  EXPECT_EQ(wrong ? PIO_EBADID : PIO_NOERR, write(file, v_, wrong ? 1 : d, values(map_, 0)));
  EXPECT_NE(PIO_NOERR, PIOc_sync(file));
  auto expected = numbers(k_all, 0);
  for (size_t at = 0; at < expected.size(); at += static_cast<size_t>(ranks())) expected[at] = k_fill;
  EXPECT_EQ(expected, all(file, v_, k_all));
  std::vector<int> got(map_.size());
  const int code = read(file, wrong ? 99 : v_, d, got);
  EXPECT_NE(PIO_NOERR, code) << "on all ranks";
  EXPECT_DONE(read(file, v_, d, got));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("a.nc");
  EXPECT_NE(PIO_NOERR, read(again, wrong ? 99 : v_, d, got)) << "on all ranks";
  EXPECT_DONE(read(again, v_, d, got));
  EXPECT_DONE(PIOc_closefile(again));
}

// As with netCDF-C; a netCDF-4 file keeps its length.
TEST_F(Records, OfAPutOfNoElements) {
  constexpr int k_preset = -9;
  const int file = create("a.nc");
  int old = -1;
  EXPECT_DONE(PIOc_set_fill(file, PIO_FILL, &old));
  const int time = dimension(file, "time", PIO_UNLIMITED), x = dimension(file, "x", k_x);
  const int v = variable(file, "v", PIO_INT, {time, x});
  EXPECT_DONE(PIOc_def_var_fill(file, v, 0, &k_preset));
  EXPECT_DONE(PIOc_enddef(file));
  const PIO_Offset behind[] = {3, 0}, none[] = {0, 0}, origin[] = {0, 0}, row[] = {1, k_x};
  EXPECT_DONE(PIOc_put_vara_int(file, v, behind, none, nullptr));
  EXPECT_EQ(makes_netcdf4() ? 0 : 3, length(file, time));
  EXPECT_DONE(PIOc_put_vara_int(file, v, origin, row, numbers(k_x, 1).data()));
  EXPECT_DONE(PIOc_sync(file));
  auto expected = numbers(k_x, 1);
  if (!makes_netcdf4()) expected.resize(3 * k_x, k_preset);
  EXPECT_EQ(static_cast<PIO_Offset>(expected.size() / k_x), length(file, time));
  EXPECT_EQ(expected, all(file, v, static_cast<int>(expected.size())));
  EXPECT_DONE(PIOc_put_vara_int(file, v, origin, none, nullptr));
  EXPECT_EQ(expected, all(file, v, static_cast<int>(expected.size())));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Records, OtherExtentsAreRefused) {
  const int file = file_of("a.nc");
  const auto map = round_robin(k_records * k_of_record);
  const int transposed = decomposition(PIO_INT, {k_records, k_x, k_y}, map);
  EXPECT_EQ(PIO_EINVAL, write(file, v_, transposed, values(map, 0)));
  const int flat = decomposition(PIO_INT, {k_records, k_of_record}, map);
  EXPECT_EQ(PIO_EINVAL, write(file, v_, flat, values(map, 0)));
  EXPECT_EQ(PIO_EINVAL, write(file, series_, flat, values(map, 0)));
  EXPECT_EQ(0, length(file, time_));
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
