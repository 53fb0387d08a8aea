// The families put_var ... get_varm of the PIO interface, which all ranks call alike.
#include <numeric>
#include <optional>

#include "program.h"
#include "support/allocations.h"

namespace scorpio::pio_test {
namespace {

class Data : public Program {};

TEST_F(Data, TheRootsValuesAreWritten) {
  const int file = create("a.nc");
  const int x = dimension(file, "x", 4);
  const int v = variable(file, "v", PIO_INT, {x});
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<int> mine(4, 100 + rank());
  EXPECT_DONE(PIOc_put_var_int(file, v, mine.data()));
  const PIO_Offset index = 2;
  const double one = 7.0;
  EXPECT_DONE(PIOc_put_var1_double(file, v, &index, &one));
  std::vector<int> read(4);
  EXPECT_DONE(PIOc_get_var_int(file, v, read.data()));
  EXPECT_EQ((std::vector<int>{100 + root_, 100 + root_, 7, 100 + root_}), read);
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("a.nc");
  short value = 0;
  EXPECT_DONE(PIOc_get_var1_short(again, v, &index, &value));
  EXPECT_EQ(7, value);
  EXPECT_DONE(PIOc_closefile(again));
}

TEST_F(Data, WhatIsPutInDefineModeWaits) {
  const int file = create("b.nc");
  const int x = dimension(file, "x", 2);
  const int v = variable(file, "v", PIO_FLOAT, {x});
  const float values[] = {1.5f, 2.5f};
  EXPECT_DONE(PIOc_put_var_float(file, v, values));
  float read[2] = {};
  EXPECT_EQ(PIO_EINDEFINE, PIOc_get_var_float(file, v, read));
  const int w = variable(file, "w", PIO_FLOAT, {x});
  EXPECT_DONE(PIOc_put_var_float(file, w, values));
  EXPECT_DONE(PIOc_sync(file));
  variable(file, "after", PIO_INT, {});
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_get_var_float(file, v, read));
  EXPECT_EQ(2.5f, read[1]);
  EXPECT_DONE(PIOc_redef(file));
  EXPECT_DONE(PIOc_put_att_text(file, PIO_GLOBAL, "title", 1, "t"));
  EXPECT_DONE(PIOc_put_var1_float(file, w, std::vector<PIO_Offset>{0}.data(), &values[1]));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("b.nc");
  EXPECT_DONE(PIOc_get_var_float(again, w, read));
  EXPECT_EQ(2.5f, read[0]);
  EXPECT_DONE(PIOc_closefile(again));
}

TEST_F(Data, StridesAndMaps) {
  const int file = create("c.nc");
  const int y = dimension(file, "y", 3);
  const int x = dimension(file, "x", 4);
  const int v = variable(file, "v", PIO_INT, {y, x});
  EXPECT_DONE(PIOc_enddef(file));
  std::vector<int> all(12);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_DONE(PIOc_put_var_int(file, v, all.data()));
  const PIO_Offset start[] = {0, 1}, count[] = {2, 2}, stride[] = {2, 2}, map[] = {1, 2};
  std::vector<int> read(4);
  EXPECT_DONE(PIOc_get_vars_int(file, v, start, count, stride, read.data()));
  EXPECT_EQ((std::vector<int>{1, 3, 9, 11}), read);
  EXPECT_DONE(PIOc_get_varm_int(file, v, start, count, stride, map, read.data()));
  EXPECT_EQ((std::vector<int>{1, 9, 3, 11}), read);
  const std::vector<int> transposed{101, 109, 103, 111};
  EXPECT_DONE(PIOc_put_varm(file, v, start, count, stride, map, transposed.data(), 4, MPI_INT));
  EXPECT_DONE(PIOc_get_var(file, v, all.data()));
  EXPECT_EQ((std::vector<int>{0, 101, 2, 103, 4, 5, 6, 7, 8, 109, 10, 111}), all);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Data, RecordsGrow) {
  const int file = create("d.nc");
  const int time = dimension(file, "time", PIO_UNLIMITED);
  const int x = dimension(file, "x", 2);
  const int v = variable(file, "v", PIO_DOUBLE, {time, x});
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_DONE(PIOc_put_var_double(file, v, values.data()));  // there are no records
  const PIO_Offset start[] = {1, 0}, count[] = {2, 2};
  EXPECT_DONE(PIOc_put_vara_double(file, v, start, count, values.data()));
  PIO_Offset records = 0;
  EXPECT_DONE(PIOc_inq_dimlen(file, time, &records));
  EXPECT_EQ(3, records);
  std::vector<double> read(4);
  EXPECT_DONE(PIOc_get_vara_double(file, v, start, count, read.data()));
  EXPECT_EQ(values, read);
  const PIO_Offset late[] = {2, 0};
  EXPECT_EQ(PIO_EEDGE, PIOc_get_vara_double(file, v, late, count, read.data()));
  const PIO_Offset later[] = {3, 0};
  EXPECT_EQ(PIO_EINVALCOORDS, PIOc_get_vara_double(file, v, later, count, read.data()));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Data, TextAndNumbers) {
  const int file = create("e.nc", 0);
  const int n = dimension(file, "n", 8);
  const int text = variable(file, "text", PIO_CHAR, {n});
  const int bytes = variable(file, "bytes", PIO_BYTE, {n});
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_put_var_text(file, text, "12345678"));
  const std::vector<unsigned char> large(8, 200);
  EXPECT_DONE(PIOc_put_var_uchar(file, bytes, large.data()));
  int number = 0;
  EXPECT_EQ(PIO_ECHAR, PIOc_put_var_int(file, text, &number));
  char read[9] = {};
  EXPECT_DONE(PIOc_get_var_text(file, text, read));
  EXPECT_STREQ("12345678", read);
  std::vector<unsigned char> back(8);
  EXPECT_DONE(PIOc_get_var_uchar(file, bytes, back.data()));
  EXPECT_EQ(large, back);
  std::vector<double> doubles(8);
  EXPECT_DONE(PIOc_get_var_double(file, bytes, doubles.data()));
  EXPECT_EQ(-56.0, doubles[0]);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Data, ValuesOutOfRangeAreReportedOnce) {
  const int file = create("f.nc");
  const int v = variable(file, "v", PIO_SHORT, {});
  EXPECT_DONE(PIOc_enddef(file));
  const int large = 100000;
  EXPECT_EQ(PIO_ERANGE, PIOc_put_var_int(file, v, &large));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Data, ValuesOutOfRangeOfTheRootAloneAreReportedByTheSync) {
  const int file = create("range.nc");
  const int v = variable(file, "v", PIO_SHORT, {});
  EXPECT_DONE(PIOc_enddef(file));
  const int value = rank() == root_ ? 65537 : 3;
  EXPECT_EQ(rank() == root_ ? PIO_ERANGE : PIO_NOERR, PIOc_put_var_int(file, v, &value));
  EXPECT_EQ(ranks() == 1 ? PIO_NOERR : PIO_ERANGE, PIOc_sync(file));
  EXPECT_DONE(PIOc_sync(file));
  int read = 0;
  EXPECT_DONE(PIOc_get_var_int(file, v, &read));
  EXPECT_EQ(1, read);
  EXPECT_DONE(PIOc_closefile(file));
}

// Where all ranks have returned the code of the puts that the root has it of, a sync does not return it
// again.
TEST_F(Data, ValuesOutOfRangeAreComparedForEachPut) {
  const int file = create("each.nc");
  const int v = variable(file, "v", PIO_SHORT, {});
  EXPECT_DONE(PIOc_enddef(file));
  const auto put = [&](bool is_wrong) {
    const int value = is_wrong ? 65537 : 3;
    EXPECT_EQ(is_wrong ? PIO_ERANGE : PIO_NOERR, PIOc_put_var_int(file, v, &value));
  };
  const bool is_root = rank() == root_;
  put(true);
  put(!is_root);
  EXPECT_DONE(PIOc_sync(file));
  put(!is_root);
  put(true);
  EXPECT_DONE(PIOc_sync(file));
  for (int i = 0; i < 600; ++i) put(i == 599 || is_root || i % 2 == 0);
  EXPECT_EQ(ranks() == 1 ? PIO_NOERR : PIO_ERANGE, PIOc_sync(file));
  for (int i = 0; i < 600; ++i) put(i == 599 || !is_root || i % 2 == 0);
  EXPECT_DONE(PIOc_sync(file));
  put(!is_root);
  put(is_root);
  EXPECT_EQ(ranks() == 1 ? PIO_NOERR : PIO_ERANGE, PIOc_sync(file));
  EXPECT_DONE(PIOc_closefile(file));
}

// Their values are not written.
TEST_F(Data, ValuesOutOfRangeOfOtherRanksAreNoFailureOfAll) {
  const int file = create("others.nc");
  const int v = variable(file, "v", PIO_SHORT, {});
  EXPECT_DONE(PIOc_enddef(file));
  const int value = rank() == root_ ? 3 : 65537;
  EXPECT_EQ(rank() == root_ ? PIO_NOERR : PIO_ERANGE, PIOc_put_var_int(file, v, &value));
  EXPECT_DONE(PIOc_sync(file));
  const int handler = rank() == root_ ? PIO_RETURN_ERROR : PIO_INTERNAL_ERROR;
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, handler, nullptr));
  EXPECT_DONE(PIOc_put_var_int(file, v, &value));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Data, ArraysOutOfRangeAreClippedAndReportedByTheSync) {
  const int file = create("clipped.nc");
  const int v = variable(file, "v", PIO_SHORT, {dimension(file, "x", ranks())});
  EXPECT_DONE(PIOc_enddef(file));
  const int d = decomposition(PIO_INT, {ranks()}, {rank() + 1});
  const int value = 65537;
  EXPECT_DONE(PIOc_write_darray(file, v, d, 1, &value, nullptr));
  EXPECT_EQ(PIO_ERANGE, PIOc_sync(file));
  EXPECT_DONE(PIOc_sync(file));
  std::vector<int> read(static_cast<size_t>(ranks()));
  EXPECT_DONE(PIOc_get_var_int(file, v, read.data()));
  EXPECT_EQ(std::vector<int>(read.size(), 32767), read);
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_DONE(PIOc_freedecomp(system_, d));
}

// A get of another type than that of the variable takes memory, of which one rank has none.
TEST_F(Data, AReadOfAnotherTypeWithoutMemoryOnOneRankFailsOnAll) {
  constexpr size_t k_length = size_t{1} << 20;
  int file = create("large.nc");
  const int v = variable(file, "v", PIO_DOUBLE, {dimension(file, "x", k_length)});
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_closefile(file));
  std::vector<float> values(k_length);
  for (const int mode : {PIO_NOWRITE, PIO_WRITE}) {
    file = open("large.nc", mode);
    {
      std::optional<test::SmallAllocations> small;
      if (rank() == ranks() - 1) small.emplace(k_length * sizeof(double) - 1);
      EXPECT_EQ(PIO_ENOMEM, PIOc_get_var_float(file, v, values.data()));
    }
    EXPECT_DONE(PIOc_get_var_float(file, v, values.data()));
    EXPECT_DONE(PIOc_closefile(file));
  }
}

// The failure of an earlier call of one rank, which a read returns on all, is none of the read.
TEST_F(Data, ReadsAfterAFailureOfOneRankReadAll) {
  const int file = create("after.nc");
  const int v = variable(file, "v", PIO_DOUBLE, {});
  EXPECT_DONE(PIOc_enddef(file));
  const double value = 2.5;
  EXPECT_DONE(PIOc_put_var_double(file, v, &value));
  const auto expect_read = [&](auto read, auto get) {
    if (rank() == ranks() - 1) {
      EXPECT_EQ(PIO_ENOTVAR, PIOc_put_var_double(file, v + 1, &value));
    }
    EXPECT_EQ(ranks() == 1 ? PIO_NOERR : PIO_ENOTVAR, get(file, v, &read));
    EXPECT_EQ(2.5, read);
  };
  expect_read(0.0, PIOc_get_var_double);
  expect_read(0.0F, PIOc_get_var_float);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Data, PutsOfAnotherTypeTakeOneCopyOnTheRootAlone) {
  constexpr size_t k_length = size_t{1} << 20;
  const int file = create("large_put.nc");
  const int v = variable(file, "v", PIO_FLOAT, {dimension(file, "x", k_length)});
  EXPECT_DONE(PIOc_enddef(file));
  std::vector<double> values(k_length, 2.5);
  const auto put = [&] {
    const test::SmallAllocations small(k_length * sizeof(float) - (rank() == root_ ? 0 : 1));
    return PIOc_put_var_double(file, v, values.data());
  };
  EXPECT_DONE(put());
  values.back() = 1e300;
  EXPECT_EQ(PIO_ERANGE, put());
  values.back() = 3;
  EXPECT_DONE(put());
  std::vector<float> read(k_length);
  EXPECT_DONE(PIOc_get_var_float(file, v, read.data()));
  EXPECT_EQ(std::vector<float>(k_length - 1, 2.5), std::vector<float>(read.begin(), read.end() - 1));
  EXPECT_EQ(3, read.back());
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Data, MappedPutsOfOtherTypes) {
  const int file = create("mapped_put.nc");
  const int y = dimension(file, "y", 2), x = dimension(file, "x", 3);
  const int v = variable(file, "v", PIO_SHORT, {y, x});
  EXPECT_DONE(PIOc_enddef(file));
  const PIO_Offset start[] = {0, 0}, count[] = {2, 3}, map[] = {1, 2};
  std::vector<int> values{1, 4, 2, 5, 3, 6};
  EXPECT_DONE(PIOc_put_varm_int(file, v, start, count, nullptr, map, values.data()));
  values[3] = 65537;
  EXPECT_EQ(PIO_ERANGE, PIOc_put_varm_int(file, v, start, count, nullptr, map, values.data()));
  std::vector<short> read(6);
  EXPECT_DONE(PIOc_get_var_short(file, v, read.data()));
  EXPECT_EQ((std::vector<short>{1, 2, 3, 4, 1, 6}), read);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Data, MappedReadsOfOtherTypes) {
  const int file = create("mapped.nc");
  const int y = dimension(file, "y", 2), x = dimension(file, "x", 3);
  const int v = variable(file, "v", PIO_DOUBLE, {y, x});
  EXPECT_DONE(PIOc_enddef(file));
  const std::vector<double> values{1, 2.5, 3, 4, 300, 6};
  const PIO_Offset start[] = {0, 0}, count[] = {2, 3}, map[] = {1, 2};
  EXPECT_DONE(PIOc_put_var_double(file, v, values.data()));
  std::vector<signed char> read(6, 9);
  EXPECT_EQ(PIO_ERANGE, PIOc_get_varm_schar(file, v, start, count, nullptr, map, read.data()));
  const signed char of_300 = makes_netcdf4() ? 44 : 9;
  EXPECT_EQ((std::vector<signed char>{1, 4, 2, of_300, 3, 6}), read);
  EXPECT_DONE(PIOc_closefile(file));
}

// The names that MPI has for one type, in C and in Fortran.
TEST_F(Data, MappedPutsAndReadsByTypesOfMpi) {
  const int file = create("mpi.nc");
  const int v = variable(file, "v", PIO_DOUBLE, {dimension(file, "x", 2)});
  EXPECT_DONE(PIOc_enddef(file));
  const PIO_Offset start[] = {0}, count[] = {2}, map[] = {1};
  const auto move = [&](MPI_Datatype type, auto first) {
    if (type == MPI_DATATYPE_NULL) return;  // MPI can lack those of Fortran
    using Number = decltype(first);
    const std::vector<Number> values{first, 9};
    std::vector<Number> read(2);
    EXPECT_DONE(PIOc_put_varm(file, v, start, count, nullptr, map, values.data(), 2, type));
    EXPECT_DONE(PIOc_get_varm(file, v, start, count, nullptr, map, read.data(), 2, type));
    EXPECT_EQ(values, read);
  };
  move(MPI_UNSIGNED_LONG, 1UL << 31);
  move(MPI_LONG, -2L);
  move(MPI_INTEGER1, static_cast<signed char>(-3));
  move(MPI_INTEGER2, static_cast<short>(-300));
  move(MPI_INTEGER4, -70000);
  move(MPI_REAL4, 2.5F);
  move(MPI_REAL8, 2.1);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Data, WrongArgumentsOfOneRankInAReadFailOnAll) {
  const int file = create("g.nc");
  const int x = dimension(file, "x", 2);
  const int v = variable(file, "v", PIO_INT, {x});
  EXPECT_DONE(PIOc_closefile(file));
  for (const int mode : {PIO_NOWRITE, PIO_WRITE}) {
    const int again = open("g.nc", mode);
    const PIO_Offset index = rank() == 0 ? 5 : 1;
    int value = 0;
    EXPECT_EQ(PIO_EINVALCOORDS, PIOc_get_var1_int(again, v, &index, &value));
    EXPECT_EQ(PIO_ENOTVAR, PIOc_get_var_int(again, rank() == ranks() - 1 ? 9 : v, &value));
    int both[2];
    EXPECT_DONE(PIOc_get_var_int(again, v, both));
    EXPECT_DONE(PIOc_closefile(again));
  }
}

}  // namespace
}  // namespace scorpio::pio_test
