// Distributed arrays of the PIO interface: frames, holes, types, the order of writes.
#include <algorithm>
#include <numeric>

#include "program.h"

namespace scorpio::pio_test {
namespace {

constexpr int k_rows = 3, k_columns = 5;
constexpr int k_elements = k_rows * k_columns;

class Darray : public Program {
 protected:
  // Element i of the global array, in a file of `name` with records.
  static double value(PIO_Offset i, double offset) { return offset + static_cast<double>(i); }

  std::vector<double> part(const std::vector<PIO_Offset>& map, double offset) {
    std::vector<double> values;
    for (const PIO_Offset at : map) values.push_back(at == 0 ? -77 : value(at - 1, offset));
    return values;
  }
  int grid(int file, bool with_time, const char* name, nc_type type) {
    if (y_ < 0) {
      time_ = dimension(file, "time", PIO_UNLIMITED);
      y_ = dimension(file, "y", k_rows);
      x_ = dimension(file, "x", k_columns);
    }
    return with_time ? variable(file, name, type, {time_, y_, x_}) : variable(file, name, type, {y_, x_});
  }
  int write(int file, int variable, int decomposition, const std::vector<double>& values,
            const double* fill = nullptr) {
    return PIOc_write_darray(file, variable, decomposition, static_cast<PIO_Offset>(values.size()),
                             values.data(), fill);
  }
  std::vector<double> whole(int file, int variable, int record) {
    std::vector<double> all(k_elements);
    const PIO_Offset start[] = {record, 0, 0}, count[] = {1, k_rows, k_columns};
    const int skipped = record < 0 ? 1 : 0;
    EXPECT_DONE(PIOc_get_vara_double(file, variable, start + skipped, count + skipped, all.data()));
    return all;
  }
  static std::vector<double> expected(double offset) {
    std::vector<double> all(k_elements);
    std::iota(all.begin(), all.end(), offset);
    return all;
  }

  int time_ = -1, y_ = -1, x_ = -1;
};

TEST_F(Darray, RecordsByFrames) {
  const int file = create("a.nc");
  const int v = grid(file, true, "v", PIO_DOUBLE);
  const int w = grid(file, false, "w", PIO_FLOAT);
  EXPECT_DONE(PIOc_enddef(file));
  const auto map = round_robin(k_elements);
  const int d = decomposition(PIO_DOUBLE, {k_rows, k_columns}, map);
  EXPECT_GE(d, PIO_IODESC_START_ID);
  EXPECT_EQ(static_cast<int>(map.size()), PIOc_get_local_array_size(d));
  EXPECT_DONE(PIOc_setframe(file, v, 0));
  EXPECT_DONE(write(file, v, d, part(map, 0)));
  EXPECT_DONE(PIOc_advanceframe(file, v));
  EXPECT_DONE(write(file, v, d, part(map, 100)));
  EXPECT_DONE(write(file, v, d, part(map, 200)));  // the same record again: the last one counts
  EXPECT_DONE(write(file, w, d, part(map, 300)));
  EXPECT_DONE(PIOc_freedecomp(system_, d));
  EXPECT_EQ(PIO_EBADID, PIOc_freedecomp(system_, d));
  EXPECT_DONE(PIOc_closefile(file));

  const int again = open("a.nc");
  EXPECT_EQ(expected(0), whole(again, v, 0));
  EXPECT_EQ(expected(200), whole(again, v, 1));
  EXPECT_EQ(expected(300), whole(again, w, -1));
  const int e = decomposition(PIO_DOUBLE, {k_rows, k_columns}, map);
  std::vector<double> read(map.size());
  EXPECT_DONE(PIOc_read_darray(again, v, e, static_cast<PIO_Offset>(read.size()), read.data()));
  EXPECT_EQ(part(map, 0), read);  // no frame: record 0
  EXPECT_DONE(PIOc_setframe(again, v, 1));
  EXPECT_DONE(PIOc_read_darray(again, v, e, static_cast<PIO_Offset>(read.size()), read.data()));
  EXPECT_EQ(part(map, 200), read);
  EXPECT_DONE(PIOc_setframe(again, v, 2));
  EXPECT_EQ(PIO_EINVALCOORDS,
            PIOc_read_darray(again, v, e, static_cast<PIO_Offset>(read.size()), read.data()));
  EXPECT_DONE(PIOc_setframe(again, v, -1));
  EXPECT_DONE(PIOc_read_darray(again, v, e, static_cast<PIO_Offset>(read.size()), read.data()));
  EXPECT_DONE(PIOc_closefile(again));
}

TEST_F(Darray, HolesAreFilledInTheFileAndKeptInMemory) {
  const int file = create("b.nc");
  const int v = grid(file, true, "v", PIO_DOUBLE);
  const int w = grid(file, false, "w", PIO_INT);
  EXPECT_DONE(PIOc_enddef(file));
  // Every rank has a hole in memory, and no rank holds the last element.
  auto map = round_robin(k_elements - 1);
  map.insert(map.begin(), 0);
  const int d = decomposition(PIO_DOUBLE, {k_rows, k_columns}, map);
  const double fill = -5;
  EXPECT_DONE(PIOc_setframe(file, v, 0));
  EXPECT_DONE(write(file, v, d, part(map, 0), &fill));
  std::vector<int> integers(map.size(), 3);
  const int i = decomposition(PIO_INT, {k_rows, k_columns}, map);
  EXPECT_DONE(
      PIOc_write_darray(file, w, i, static_cast<PIO_Offset>(integers.size()), integers.data(), nullptr));
  EXPECT_DONE(PIOc_sync(file));
  auto all = expected(0);
  all.back() = fill;
  EXPECT_EQ(all, whole(file, v, 0));
  EXPECT_EQ(PIO_FILL_INT, whole(file, w, -1).back());
  std::vector<double> read(map.size(), 1234);
  EXPECT_DONE(PIOc_setframe(file, v, 0));
  EXPECT_DONE(PIOc_read_darray(file, v, d, static_cast<PIO_Offset>(read.size()), read.data()));
  EXPECT_EQ(1234, read[0]);
  if (read.size() > 1) {
    EXPECT_EQ(value(map[1] - 1, 0), read[1]);
  }
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Darray, SeveralVariablesAtOnce) {
  const int file = create("c.nc");
  const int variables[] = {grid(file, true, "v", PIO_DOUBLE), grid(file, true, "w", PIO_FLOAT)};
  EXPECT_DONE(PIOc_enddef(file));
  const auto map = round_robin(k_elements - 1);
  const int d = decomposition(PIO_DOUBLE, {1, k_rows, k_columns}, map);
  auto both = part(map, 0);
  const auto second = part(map, 50);
  both.insert(both.end(), second.begin(), second.end());
  const double fills[] = {-1, -2};
  const int frames[] = {1, 0};
  EXPECT_DONE(PIOc_write_darray_multi(file, variables, d, 2, static_cast<PIO_Offset>(map.size()), both.data(),
                                      frames, reinterpret_cast<const void**>(const_cast<double*>(fills)),
                                      true));
  auto all = expected(0);
  all.back() = -1;
  EXPECT_EQ(all, whole(file, variables[0], 1));
  all = expected(50);
  all.back() = -2;
  EXPECT_EQ(all, whole(file, variables[1], 0));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Darray, WritesKeepTheOrderOfCalls) {
  const int file = create("d.nc");
  const int v = grid(file, false, "v", PIO_DOUBLE);
  const auto map = round_robin(k_elements);
  const int d = decomposition(PIO_DOUBLE, {k_rows, k_columns}, map);
  EXPECT_DONE(write(file, v, d, part(map, 0)));  // in define mode
  EXPECT_DONE(PIOc_enddef(file));
  const double one = -1;
  const PIO_Offset index[] = {0, 2};
  EXPECT_DONE(PIOc_put_var1_double(file, v, index, &one));
  auto all = expected(0);
  all[2] = -1;
  EXPECT_EQ(all, whole(file, v, -1));
  EXPECT_DONE(PIOc_put_var1_double(file, v, index, &one));
  EXPECT_DONE(write(file, v, d, part(map, 10)));
  EXPECT_EQ(expected(10), whole(file, v, -1));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Darray, ALimitedBufferIsCarriedOutEarlier) {
  const PIO_Offset limit = PIOc_set_buffer_size_limit(8 * k_elements);
  const int file = create("e.nc");
  const int v = grid(file, true, "v", PIO_DOUBLE);
  const auto map = round_robin(k_elements);
  const int d = decomposition(PIO_DOUBLE, {k_rows, k_columns}, map);
  EXPECT_DONE(PIOc_enddef(file));
  for (int record = 0; record < 20; ++record) {
    EXPECT_DONE(PIOc_setframe(file, v, record));
    EXPECT_DONE(write(file, v, d, part(map, 100 * record)));
  }
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("e.nc");
  for (int record = 0; record < 20; ++record) EXPECT_EQ(expected(100 * record), whole(again, v, record));
  EXPECT_DONE(PIOc_closefile(again));
  PIOc_set_buffer_size_limit(limit);
}

// The fill values of the second write replace values of the first one, and those of the third one both.
TEST_F(Darray, HolesReplaceEarlierValues) {
  const int file = create("order.nc");
  const int v = grid(file, true, "v", PIO_DOUBLE);
  EXPECT_DONE(PIOc_enddef(file));
  const auto map = round_robin(k_elements);
  auto few = map;
  std::replace_if(
      few.begin(), few.end(), [](PIO_Offset at) { return at <= 4; }, PIO_Offset{0});
  const int whole_grid = decomposition(PIO_DOUBLE, {k_rows, k_columns}, map);
  const int part_of_it = decomposition(PIO_DOUBLE, {k_rows, k_columns}, few);
  const double fill = -5;
  for (const int last : {0, 1}) {
    EXPECT_DONE(PIOc_setframe(file, v, last));
    EXPECT_DONE(write(file, v, whole_grid, part(map, 0)));
    EXPECT_DONE(write(file, v, part_of_it, part(few, 100), &fill));
    if (last == 1) {
      EXPECT_DONE(write(file, v, whole_grid, part(map, 200)));
    }
  }
  EXPECT_DONE(PIOc_sync(file));
  auto all = expected(100);
  std::fill_n(all.begin(), 4, fill);
  EXPECT_EQ(all, whole(file, v, 0));
  EXPECT_EQ(expected(200), whole(file, v, 1));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Darray, BlocksAndMapsFromZero) {
  const int file = create("f.nc");
  const int v = grid(file, false, "v", PIO_DOUBLE);
  EXPECT_DONE(PIOc_enddef(file));
  const int extents[] = {k_rows, k_columns};
  const long start[] = {0, 0}, count[] = {rank() == 0 ? k_rows : 0, k_columns};
  int block = -1, zero_based = -1;
  ASSERT_DONE(PIOc_InitDecomp_bc(system_, PIO_DOUBLE, 2, extents, start, count, &block));
  EXPECT_EQ(rank() == 0 ? k_elements : 0, PIOc_get_local_array_size(block));
  std::vector<double> all = expected(0);
  all.resize(rank() == 0 ? k_elements : 0);
  EXPECT_DONE(write(file, v, block, all));
  auto map = round_robin(k_elements);
  for (PIO_Offset& at : map) --at;
  ASSERT_DONE(PIOc_init_decomp(system_, PIO_INT, 2, extents, static_cast<int>(map.size()), map.data(),
                               &zero_based, 0, nullptr, nullptr));
  std::vector<int> read(map.size());
  EXPECT_DONE(PIOc_read_darray(file, v, zero_based, static_cast<PIO_Offset>(read.size()), read.data()));
  for (size_t i = 0; i < map.size(); ++i) EXPECT_EQ(map[i], read[i]);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Darray, ShortArraysOfOneRankCostTheFileNothing) {
  if (ranks() == 1)
    GTEST_SKIP();  // what fails on all ranks is not written: WrongCalls.WritesThatFailOnAllRanks
  const int file = create("g.nc");
  const int v = grid(file, false, "v", PIO_DOUBLE);
  const int w = grid(file, false, "w", PIO_DOUBLE);
  EXPECT_DONE(PIOc_enddef(file));
  const auto map = round_robin(k_elements);
  const int d = decomposition(PIO_DOUBLE, {k_rows, k_columns}, map);
  EXPECT_DONE(write(file, w, d, part(map, 7)));
  auto values = part(map, 0);
  if (rank() == 0) values.pop_back();
  EXPECT_EQ(rank() == 0 ? PIO_EINVAL : PIO_NOERR, write(file, v, d, values));
  EXPECT_EQ(PIO_EINVAL, PIOc_sync(file));
  EXPECT_EQ(expected(7), whole(file, w, -1));
  auto all = expected(0);
  all[static_cast<size_t>((k_elements - 1) / ranks() * ranks())] = PIO_FILL_DOUBLE;
  EXPECT_EQ(all, whole(file, v, -1));
  EXPECT_DONE(PIOc_closefile(file));
}

// A rank with a wrong variable or decomposition lacks the write; the others keep theirs.
TEST_F(Darray, AWrongIdOfOneRankCostsTheFileNothing) {
  if (ranks() == 1) GTEST_SKIP();
  const int file = create("h.nc");
  const int v = grid(file, false, "v", PIO_DOUBLE);
  const int w = grid(file, false, "w", PIO_DOUBLE);
  EXPECT_DONE(PIOc_enddef(file));
  const auto map = round_robin(k_elements);
  const int d = decomposition(PIO_DOUBLE, {k_rows, k_columns}, map);
  EXPECT_EQ(rank() == 0 ? PIO_EBADID : PIO_NOERR, write(file, v, rank() == 0 ? 1 : d, part(map, 0)));
  EXPECT_DONE(write(file, w, d, part(map, 7)));
  EXPECT_NE(PIO_NOERR, PIOc_sync(file));
  EXPECT_EQ(expected(7), whole(file, w, -1));
  auto all = expected(0);
  for (PIO_Offset at = 0; at < k_elements; at += ranks()) all[static_cast<size_t>(at)] = PIO_FILL_DOUBLE;
  EXPECT_EQ(all, whole(file, v, -1));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Darray, WrongDecompositions) {
  const int extents[] = {k_rows, k_columns};
  int id = -7;
  const std::vector<PIO_Offset> outside{rank() == 0 ? k_elements + 1 : 1};
  EXPECT_EQ(PIO_EINVAL,
            PIOc_InitDecomp(system_, PIO_INT, 2, extents, 1, outside.data(), &id, nullptr, nullptr, nullptr));
  EXPECT_EQ(PIO_EINVAL,
            PIOc_InitDecomp(system_, PIO_INT, 0, extents, 1, outside.data(), &id, nullptr, nullptr, nullptr));
  EXPECT_EQ(PIO_EBADTYPE,
            PIOc_InitDecomp(system_, 77, 2, extents, 0, nullptr, &id, nullptr, nullptr, nullptr));
  EXPECT_EQ(PIO_EINVAL,
            PIOc_InitDecomp(system_, PIO_INT, 2, extents, 1, nullptr, &id, nullptr, nullptr, nullptr));
  const int none[] = {k_rows, 0};
  EXPECT_EQ(PIO_EINVAL,
            PIOc_InitDecomp(system_, PIO_INT, 2, none, 0, nullptr, &id, nullptr, nullptr, nullptr));
  EXPECT_EQ(-7, id);
  const int file = create("i.nc");
  const int v = grid(file, false, "v", PIO_INT);
  EXPECT_DONE(PIOc_enddef(file));
  const int d = decomposition(PIO_INT, {k_columns, k_rows}, round_robin(k_elements));
  const std::vector<int> values(k_elements);
  EXPECT_EQ(PIO_EINVAL, PIOc_write_darray(file, v, d, k_elements, values.data(), nullptr));
  EXPECT_EQ(PIO_EBADID, PIOc_write_darray(file, v, 1, k_elements, values.data(), nullptr));
  EXPECT_EQ(PIO_ENOTVAR, PIOc_write_darray(file, 9, d, k_elements, values.data(), nullptr));
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
