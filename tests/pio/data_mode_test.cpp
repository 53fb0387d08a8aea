// Definitions that differ between ranks in data mode: those of the I/O root count on all ranks, the next call
// that communicates returns PIO_EINVAL once, and the file goes on.
#include <numeric>

#include "program.h"

namespace scorpio::pio_test {
namespace {

class DataMode : public Program, public ::testing::WithParamInterface<int> {
 protected:
  bool is_classic() const { return GetParam() == PIO_IOTYPE_PNETCDF; }

  // x(4), v(x) and w(x) with data that no sync has brought to the file, and the attribute "number" of v.
  int make() {
    const int file = create("a.nc", PIO_CLOBBER, GetParam());
    x_ = dimension(file, "x", 4);
    v_ = variable(file, "v", PIO_INT, {x_});
    w_ = variable(file, "w", PIO_INT, {x_});
    put_number(file, "number", 1);
    EXPECT_DONE(PIOc_enddef(file));
    put(file, v_, 1);
    put(file, w_, 5);
    return file;
  }
  void put_number(int file, const char* name, int value) {
    EXPECT_DONE(PIOc_put_att_int(file, v_, name, PIO_INT, 1, &value));
  }
  void expect_number(int file, const char* name, int value) {
    int found = -1;
    EXPECT_DONE(PIOc_get_att_int(file, v_, name, &found)) << name;
    EXPECT_EQ(value, found) << name;
  }
  static void put(int file, int varid, int first) {
    std::vector<int> values(4);
    std::iota(values.begin(), values.end(), first);
    EXPECT_DONE(PIOc_put_var_int(file, varid, values.data()));
  }
  static void expect(int file, const char* name, int first) {
    int varid = -1;
    std::vector<int> values(4), found(4, -1);
    std::iota(values.begin(), values.end(), first);
    EXPECT_DONE(PIOc_inq_varid(file, name, &varid)) << name;
    EXPECT_DONE(PIOc_get_var_int(file, varid, found.data())) << name;
    EXPECT_EQ(values, found) << name;
  }
  // By another name on each rank.
  void define_own(int file) {
    const std::string mine = std::to_string(rank());
    const int y = dimension(file, ("y" + mine).c_str(), 3 + rank());
    const int own = variable(file, ("own" + mine).c_str(), rank() == root_ ? PIO_INT : PIO_DOUBLE, {x_, y});
    const PIO_Offset chunk[] = {2, 2};
    EXPECT_DONE(PIOc_def_var_chunking(file, own, NC_CHUNKED, chunk));
    EXPECT_DONE(PIOc_def_var_endian(file, own, rank() == root_ ? NC_ENDIAN_BIG : NC_ENDIAN_LITTLE));
    EXPECT_DONE(PIOc_rename_var(file, w_, ("w" + mine).c_str()));
    put_number(file, "own", rank());
  }
  void expect_own_of_root(int file) {
    const std::string roots = std::to_string(root_);
    int count = 0, own = -1, endian = -1;
    nc_type type = PIO_NAT;
    EXPECT_DONE(PIOc_inq_nvars(file, &count));
    EXPECT_EQ(3, count);
    EXPECT_DONE(PIOc_inq_ndims(file, &count));
    EXPECT_EQ(2, count);
    EXPECT_DONE(PIOc_inq_varid(file, ("own" + roots).c_str(), &own));
    EXPECT_DONE(PIOc_inq_vartype(file, own, &type));
    EXPECT_EQ(PIO_INT, type);
    EXPECT_DONE(PIOc_inq_var_endian(file, own, &endian));
    EXPECT_EQ(NC_ENDIAN_BIG, endian);
    expect_number(file, "own", root_);
    expect(file, "v", 1);
    expect(file, ("w" + roots).c_str(), 5);
  }

  int x_ = -1, v_ = -1, w_ = -1;
};

INSTANTIATE_TEST_SUITE_P(Types, DataMode,
                         testing::Values(PIO_IOTYPE_PNETCDF, PIO_IOTYPE_NETCDF4C, PIO_IOTYPE_NETCDF4P),
                         [](const auto& one) { return "Type" + std::to_string(one.param); });

TEST_P(DataMode, AttributesThatDiffer) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  const int file = make();
  for (const bool synced : {false, true}) {
    if (synced) {
      EXPECT_DONE(PIOc_sync(file));
    }
    put_number(file, "number", rank() == root_ ? 2 : 3);
    put(file, w_, 7);
    EXPECT_EQ(PIO_EINVAL, PIOc_sync(file));
    expect_number(file, "number", 2);
    expect(file, "v", 1);
    expect(file, "w", 7);
    put_number(file, "number", 1);
    put(file, w_, 5);
    EXPECT_DONE(PIOc_sync(file));
  }
  put_number(file, "number", rank() == root_ ? 4 : 5);
  EXPECT_EQ(PIO_EINVAL, PIOc_closefile(file));
  const int again = open("a.nc");
  expect_number(again, "number", 4);
  expect(again, "v", 1);
  expect(again, "w", 5);
  EXPECT_DONE(PIOc_closefile(again));
}

TEST_P(DataMode, FormsOfStorageThatDiffer) {
  if (ranks() == 1 || is_classic()) GTEST_SKIP() << "it takes two ranks, and netCDF-4";
  const int file = make();
  for (const int of_root : {NC_COMPACT, NC_CONTIGUOUS}) {
    EXPECT_DONE(PIOc_redef(file));
    const int v = variable(file, of_root == NC_COMPACT ? "small" : "contiguous", PIO_INT, {});
    const int of_others = of_root == NC_COMPACT ? NC_CONTIGUOUS : NC_COMPACT;
    EXPECT_DONE(PIOc_def_var_chunking(file, v, rank() == root_ ? of_root : of_others, nullptr));
    EXPECT_EQ(PIO_EINVAL, PIOc_enddef(file));
    int form = -1;
    EXPECT_DONE(PIOc_inq_var_chunking(file, v, &form, nullptr));
    EXPECT_EQ(of_root, form);
  }
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_P(DataMode, DefinitionsOfEachRank) {
  if (ranks() == 1 || is_classic()) GTEST_SKIP() << "it takes two ranks, and netCDF-4";
  const int file = make();
  EXPECT_DONE(PIOc_sync(file));
  put(file, v_, 9);
  expect(file, "v", 9);  // the file has more than at the sync
  put_number(file, "agreed", 1);
  put(file, v_, 1);
  expect(file, "v", 1);  // the ranks have agreed
  define_own(file);
  EXPECT_EQ(PIO_EINVAL, PIOc_enddef(file));
  expect_own_of_root(file);
  expect_number(file, "agreed", 1);
  // All ranks make the same definitions from now on.
  const int later = variable(file, "later", PIO_INT, {x_});
  EXPECT_EQ(w_ + 2, later);
  put(file, later, 20);
  EXPECT_DONE(PIOc_sync(file));
  expect(file, "later", 20);
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("a.nc");
  expect(again, "later", 20);
  expect_number(again, "agreed", 1);
  expect_number(again, "own", root_);
  expect(again, "v", 1);
  EXPECT_DONE(PIOc_closefile(again));
}

// Only the root, or all other ranks, make definitions; what they put to what they have defined comes along.
TEST_P(DataMode, DefinitionsOfSomeRanks) {
  if (ranks() == 1 || is_classic()) GTEST_SKIP() << "it takes two ranks, and netCDF-4";
  const int file = make();
  int found = -1;
  if (rank() != root_) (void)variable(file, "of_others", PIO_INT, {x_});
  EXPECT_EQ(PIO_EINVAL, PIOc_sync(file));
  EXPECT_EQ(PIO_ENOTVAR, PIOc_inq_varid(file, "of_others", &found));
  if (rank() == root_) found = variable(file, "of_root", PIO_INT, {x_});
  EXPECT_EQ(PIO_EINVAL, PIOc_sync(file));
  EXPECT_DONE(PIOc_inq_varid(file, "of_root", &found));
  put(file, found, 30);
  EXPECT_DONE(PIOc_sync(file));
  expect(file, "of_root", 30);
  expect(file, "w", 5);
  // Other types on other ranks, and puts that wait.
  const int typed = variable(file, "typed", rank() == root_ ? PIO_INT : PIO_FLOAT, {x_});
  put(file, typed, 40);
  put(file, w_, 6);
  EXPECT_EQ(PIO_EINVAL, PIOc_sync(file));
  expect(file, "typed", 40);
  expect(file, "w", 6);
  EXPECT_DONE(PIOc_closefile(file));
}

// A read, too, moves data: the file is not made again.
TEST_P(DataMode, AfterAReadOfANewFile) {
  if (ranks() == 1 || is_classic()) GTEST_SKIP() << "it takes two ranks, and netCDF-4";
  for (const bool by_decomposition : {false, true}) {
    const int file = create("a.nc", PIO_CLOBBER, GetParam());
    const int x = dimension(file, "x", 4);
    const int v = variable(file, "v", PIO_INT, {x});
    std::vector<int> read(4);
    if (by_decomposition) {
      const int d = decomposition(PIO_INT, {2},
                                  rank() == 0 ? std::vector<PIO_Offset>{1, 2} : std::vector<PIO_Offset>{});
      EXPECT_DONE(PIOc_read_darray(file, v, d, 2, read.data()));
      EXPECT_DONE(PIOc_freedecomp(system_, d));
    } else {
      EXPECT_DONE(PIOc_get_var_int(file, v, read.data()));
    }
    if (rank() != root_) variable(file, "mine", PIO_INT, {});
    EXPECT_EQ(PIO_EINVAL, PIOc_sync(file));
    put(file, v, 1);
    EXPECT_DONE(PIOc_sync(file));
    expect(file, "v", 1);
    EXPECT_DONE(PIOc_closefile(file));
  }
}

// With redef, after data that were put in define mode.
TEST_P(DataMode, InDefineModeAfterData) {
  if (ranks() == 1 || is_classic()) GTEST_SKIP() << "it takes two ranks, and netCDF-4";
  const int file = make();
  EXPECT_DONE(PIOc_redef(file));
  put(file, v_, 3);
  expect(file, "v", 3);
  put(file, v_, 1);
  define_own(file);
  EXPECT_EQ(PIO_EINVAL, PIOc_enddef(file));
  expect_own_of_root(file);
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
