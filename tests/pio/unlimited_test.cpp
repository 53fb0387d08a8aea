// Unlimited dimensions that are not the first one of their variables, in netCDF-4 files: hyperslabs and
// decompositions extend them, in every place of a variable.
#include <algorithm>

#include "program.h"

namespace scorpio::pio_test {
namespace {

constexpr int k_x = 4;

class Unlimited : public Program {
 protected:
  // time and member are unlimited, x has 4 elements; forecasts(time, member, x), series(x, time).
  int file_of(const std::string& name, int iotype) {
    const int file = create(name, PIO_CLOBBER, iotype);
    EXPECT_DONE(PIOc_set_fill(file, PIO_FILL, nullptr));
    time_ = dimension(file, "time", PIO_UNLIMITED);
    member_ = dimension(file, "member", PIO_UNLIMITED);
    const int x = dimension(file, "x", k_x);
    forecasts_ = variable(file, "forecasts", PIO_INT, {time_, member_, x});
    series_ = variable(file, "series", PIO_INT, {x, time_});
    EXPECT_DONE(PIOc_enddef(file));
    return file;
  }
  void expect_lengths(int file, PIO_Offset times, PIO_Offset members) const {
    PIO_Offset length = -1;
    EXPECT_DONE(PIOc_inq_dimlen(file, time_, &length));
    EXPECT_EQ(times, length);
    EXPECT_DONE(PIOc_inq_dimlen(file, member_, &length));
    EXPECT_EQ(members, length);
  }
  // An array of members and x, of which the last element is held by no rank.
  int members(int number) {
    std::vector<PIO_Offset> map = round_robin(PIO_Offset{number} * k_x);
    std::erase(map, PIO_Offset{number} * k_x);
    elements_ = map;
    return decomposition(PIO_INT, {number, k_x}, map);
  }
  static int value(int record, PIO_Offset place) { return 100 * record + static_cast<int>(place); }
  // The frame `record` by the decomposition of members() that was made last.
  void write_record(int file, int decomposition, int record) {
    std::vector<int> values;
    for (const PIO_Offset place : elements_) values.push_back(value(record, place));
    EXPECT_DONE(PIOc_setframe(file, forecasts_, record));
    EXPECT_DONE(PIOc_write_darray(file, forecasts_, decomposition, static_cast<PIO_Offset>(values.size()),
                                  values.data(), nullptr));
  }
  int read_record(int file, int decomposition, int record, std::vector<int>& values) {
    values.assign(std::max<size_t>(elements_.size(), 1), -1);
    EXPECT_DONE(PIOc_setframe(file, forecasts_, record));
    return PIOc_read_darray(file, forecasts_, decomposition, static_cast<PIO_Offset>(elements_.size()),
                            values.data());
  }
  // What is in the file: of each record so many members; beyond them, and where no rank holds an element, is
  // the fill value.
  void expect_forecasts(int file, const std::vector<int>& members_of, int members) const {
    const auto records = static_cast<int>(members_of.size());
    std::vector<int> all(static_cast<size_t>(records * members * k_x), -1);
    EXPECT_DONE(PIOc_get_var_int(file, forecasts_, all.data()));
    for (int r = 0; r < records; ++r) {
      for (int i = 0; i < members * k_x; ++i) {
        const bool is_there = i < members_of[static_cast<size_t>(r)] * k_x - 1;
        EXPECT_EQ(is_there ? value(r, i + 1) : PIO_FILL_INT, all[static_cast<size_t>(r * members * k_x + i)])
            << "record " << r << ", element " << i;
      }
    }
  }

  int time_ = -1, member_ = -1, forecasts_ = -1, series_ = -1;
  std::vector<PIO_Offset> elements_;
};

TEST_F(Unlimited, DecompositionsExtendThem) {
  for (const int iotype : {PIO_IOTYPE_NETCDF4C, PIO_IOTYPE_NETCDF4P}) {
    SCOPED_TRACE("I/O type " + std::to_string(iotype));
    const std::string name = std::to_string(iotype) + ".nc";
    int file = file_of(name, iotype);
    const int two = members(2);
    write_record(file, two, 0);
    expect_lengths(file, 1, 2);
    const int three = members(3);
    write_record(file, three, 2);
    expect_lengths(file, 3, 3);
    EXPECT_DONE(PIOc_sync(file));
    expect_lengths(file, 3, 3);
    expect_forecasts(file, {2, 0, 3}, 3);
    EXPECT_DONE(PIOc_closefile(file));
    file = open(name, PIO_WRITE);
    const int five = members(5);
    write_record(file, five, 1);
    expect_lengths(file, 3, 5);
    expect_forecasts(file, {2, 5, 3}, 5);
    EXPECT_DONE(PIOc_closefile(file));
    file = open(name);
    expect_forecasts(file, {2, 5, 3}, 5);
    EXPECT_DONE(PIOc_closefile(file));
    for (const int d : {two, three, five}) EXPECT_DONE(PIOc_freedecomp(system_, d));
  }
}

TEST_F(Unlimited, ReadsBySmallerAndLargerDecompositions) {
  const int file = file_of("a.nc", PIO_IOTYPE_NETCDF4P);
  const int three = members(3);
  write_record(file, three, 0);
  write_record(file, three, 1);
  std::vector<int> values;
  const int two = members(2);
  EXPECT_DONE(read_record(file, two, 1, values));
  for (size_t i = 0; i < elements_.size(); ++i) EXPECT_EQ(value(1, elements_[i]), values[i]);
  EXPECT_EQ(PIO_EINVALCOORDS, read_record(file, two, 2, values)) << "there are two records";
  const int four = members(4);
  EXPECT_EQ(PIO_EINVALCOORDS, read_record(file, four, 1, values)) << "there are three members";
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Unlimited, HyperslabsExtendThem) {
  for (const int iotype : {PIO_IOTYPE_NETCDF4C, PIO_IOTYPE_NETCDF4P}) {
    const int file = file_of("a.nc", iotype);
    const PIO_Offset start[] = {1, 2, 0}, count[] = {1, 1, k_x}, stride[] = {1, 3, 1};
    const PIO_Offset two[] = {1, 2, k_x};
    const int values[] = {1, 2, 3, 4, 5, 6, 7, 8};
    EXPECT_DONE(PIOc_put_vara_int(file, forecasts_, start, count, values));
    expect_lengths(file, 2, 3);
    EXPECT_DONE(PIOc_put_vars_int(file, forecasts_, start, two, stride, values));
    expect_lengths(file, 2, 6);
    const PIO_Offset at[] = {3, 4};
    EXPECT_DONE(PIOc_put_var1_int(file, series_, at, &values[6]));
    expect_lengths(file, 5, 6);
    int read = 0;
    EXPECT_DONE(PIOc_get_var1_int(file, series_, at, &read));
    EXPECT_EQ(7, read);
    const PIO_Offset beyond[] = {3, 5}, before[] = {2, 3};
    EXPECT_EQ(PIO_EINVALCOORDS, PIOc_get_var1_int(file, series_, beyond, &read));
    EXPECT_DONE(PIOc_get_var1_int(file, series_, before, &read));
    EXPECT_EQ(PIO_FILL_INT, read);
    std::vector<int> row(2 * k_x);
    EXPECT_DONE(PIOc_get_vars_int(file, forecasts_, start, two, stride, row.data()));
    EXPECT_TRUE(std::ranges::equal(values, row));
    const PIO_Offset outside[] = {0, 0, 1};
    EXPECT_EQ(PIO_EEDGE, PIOc_put_vara_int(file, forecasts_, outside, count, values)) << "x is not unlimited";
    EXPECT_DONE(PIOc_closefile(file));
  }
}

// The array of series(x, time) has all its dimensions, or with a frame those after the first one.
TEST_F(Unlimited, TheLastDimension) {
  const int file = file_of("a.nc", PIO_IOTYPE_NETCDF4C);
  const auto map = round_robin(k_x * 3);
  const int whole = decomposition(PIO_INT, {k_x, 3}, map);
  std::vector<int> values(map.begin(), map.end());
  const auto length = static_cast<PIO_Offset>(values.size());
  EXPECT_DONE(PIOc_write_darray(file, series_, whole, length, values.data(), nullptr));
  const auto row_map = round_robin(5);
  const int row = decomposition(PIO_INT, {5}, row_map);
  std::vector<int> row_values(row_map.begin(), row_map.end());
  const auto row_length = static_cast<PIO_Offset>(row_values.size());
  EXPECT_DONE(PIOc_setframe(file, series_, 1));
  EXPECT_DONE(PIOc_write_darray(file, series_, row, row_length, row_values.data(), nullptr));
  EXPECT_DONE(PIOc_setframe(file, series_, k_x));
  EXPECT_EQ(PIO_EEDGE, PIOc_write_darray(file, series_, row, row_length, row_values.data(), nullptr));
  expect_lengths(file, 5, 0);
  std::vector<int> all(k_x * 5, -1);
  EXPECT_DONE(PIOc_get_var_int(file, series_, all.data()));
  for (int i = 0; i < k_x * 5; ++i) {
    const int x = i / 5, t = i % 5;
    const int written = x == 1 ? t + 1 : t < 3 ? 3 * x + t + 1 : PIO_FILL_INT;
    EXPECT_EQ(written, all[static_cast<size_t>(i)]) << i;
  }
  EXPECT_DONE(PIOc_setframe(file, series_, -1));
  std::vector<int> read(values.size() + 1);
  EXPECT_DONE(PIOc_read_darray(file, series_, whole, length, read.data()));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Unlimited, WrongDecompositions) {
  const int file = file_of("a.nc", PIO_IOTYPE_NETCDF4P);
  const int value = 5;
  EXPECT_DONE(PIOc_setframe(file, forecasts_, 0));
  // Without an extent for each dimension, of another extent where it is fixed, and of too many dimensions.
  for (const std::vector<int>& extents : {std::vector{k_x}, {2, 5}, {2, 2, k_x}}) {
    const int d = decomposition(PIO_INT, extents, {});
    EXPECT_EQ(PIO_EINVAL, PIOc_write_darray(file, forecasts_, d, 0, &value, nullptr));
    EXPECT_EQ(PIO_EINVAL, PIOc_read_darray(file, forecasts_, d, 0, nullptr));
    EXPECT_DONE(PIOc_freedecomp(system_, d));
  }
  const int d = decomposition(PIO_INT, {1, 2, k_x}, {});
  EXPECT_DONE(PIOc_write_darray(file, forecasts_, d, 0, &value, nullptr));
  expect_lengths(file, 1, 2);
  EXPECT_DONE(PIOc_closefile(file));
}

// What a rank lacks has the fill value; the lengths are those of the other ranks.
TEST_F(Unlimited, AWriteThatOneRankLacks) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  const int file = file_of("a.nc", PIO_IOTYPE_NETCDF4P);
  const int two = members(2);
  if (rank() != 0) write_record(file, two, 0);
  EXPECT_EQ(PIO_EINVAL, PIOc_sync(file));
  expect_lengths(file, 1, 2);
  std::vector<int> all(2 * k_x, -1);
  EXPECT_DONE(PIOc_get_var_int(file, forecasts_, all.data()));
  for (int i = 0; i < 2 * k_x - 1; ++i)
    EXPECT_EQ(i % ranks() == 0 ? PIO_FILL_INT : value(0, i + 1), all[static_cast<size_t>(i)]) << i;
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Unlimited, WhereTheyAreNotPossible) {
  for (const int iotype : {PIO_IOTYPE_PNETCDF, PIO_IOTYPE_NETCDF}) {
    const int file = create("classic.nc", PIO_64BIT_DATA, iotype);
    const int dims[] = {dimension(file, "x", k_x), dimension(file, "time", PIO_UNLIMITED)};
    int id = -7;
    EXPECT_EQ(PIO_EINVAL, PIOc_def_var(file, "v", PIO_INT, 2, dims, &id));
    EXPECT_EQ(-7, id);
    EXPECT_DONE(PIOc_closefile(file));
  }
  const int file = file_of("b.nc", PIO_IOTYPE_NETCDF4P);
  const int dims[] = {time_, member_};
  int id = -7;
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var(file, "strings", PIO_STRING, 2, dims, &id));
  const int later = variable(file, "later", PIO_DOUBLE, {member_, time_});
  EXPECT_EQ(PIO_EINVAL, PIOc_def_var_chunking(file, later, NC_CONTIGUOUS, nullptr));
  const PIO_Offset chunk[] = {3, 100};
  PIO_Offset found[2] = {};
  int storage = -1;
  EXPECT_DONE(PIOc_def_var_chunking(file, later, NC_CHUNKED, chunk));
  EXPECT_DONE(PIOc_inq_var_chunking(file, later, &storage, found));
  EXPECT_EQ(NC_CHUNKED, storage);
  EXPECT_EQ(100, found[1]);
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
