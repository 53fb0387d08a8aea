// HDF5 files of other programs whose dimensions have no names: the dimensions that netCDF-C shows of them,
// with the same ids, names, lengths and sharing, and puts to their variables.
#include <fstream>
#include <numeric>
#include <sstream>

#include "program.h"
#include "support/python.h"

namespace scorpio::pio_test {
namespace {

class Phony : public Program, public ::testing::WithParamInterface<const char*> {
 protected:
  int run(const char* what) { return test::run_python("pio/phony.py", {GetParam(), what, path("a.h5")}); }

  void expect_dimension(int file, int id, const std::string& name, PIO_Offset length, bool unlimited) {
    char found[PIO_MAX_NAME + 1] = "";
    PIO_Offset extent = -1;
    EXPECT_DONE(PIOc_inq_dim(file, id, found, &extent));
    EXPECT_EQ(name, found) << id;
    EXPECT_EQ(length, extent) << name;
    EXPECT_DONE(PIOc_inq_dimname(file, id, found));
    EXPECT_DONE(PIOc_inq_dimlen(file, id, &extent));
    EXPECT_EQ(name, found) << id;
    EXPECT_EQ(length, extent) << name;
    int by_name = -1, count = 0;
    EXPECT_DONE(PIOc_inq_dimid(file, name.c_str(), &by_name));
    EXPECT_EQ(id, by_name) << name;
    std::vector<int> all(64, -1);
    EXPECT_DONE(PIOc_inq_unlimdims(file, &count, all.data()));
    EXPECT_EQ(unlimited, std::count(all.begin(), all.begin() + count, id) == 1) << name;
  }
  static void expect_variable(int file, const std::string& name, const std::vector<int>& ids) {
    int varid = -1, ndims = -1;
    EXPECT_DONE(PIOc_inq_varid(file, name.c_str(), &varid));
    EXPECT_DONE(PIOc_inq_varndims(file, varid, &ndims));
    ASSERT_EQ(std::ssize(ids), ndims) << name;
    std::vector<int> found(ids.size(), -1);
    EXPECT_DONE(PIOc_inq_vardimid(file, varid, found.data()));
    EXPECT_EQ(ids, found) << name;
    for (const int id : found) {
      PIO_Offset length = -1;
      EXPECT_DONE(PIOc_inq_dimlen(file, id, &length));
    }
  }
  // The number of dimensions that netCDF-C shows.
  int expect_as_netcdf(int file) {
    std::ifstream in(path("a.h5.txt"));
    int dimensions = 0;
    for (std::string line, kind, name; std::getline(in, line);) {
      std::istringstream words(line);
      words >> kind;
      if (kind == "dimension") {
        int id = -1, unlimited = 0;
        PIO_Offset length = 0;
        words >> id >> name >> length >> unlimited;
        expect_dimension(file, id, name, length, unlimited != 0);
        ++dimensions;
      } else {
        int ndims = 0;
        words >> name >> ndims;
        std::vector<int> ids(static_cast<size_t>(ndims));
        for (int& id : ids) words >> id;
        expect_variable(file, name, ids);
      }
    }
    return dimensions;
  }
};

// A named dimension takes the place of one without a name, whatever the length of its name.
class PhonyLong : public Program {};

TEST_F(PhonyLong, TheLongestNameStandsForItsLength) {
  const int made = test::run_python("pio/phony.py", {"named", "make long", path("long.h5")});
  if (made == 77) GTEST_SKIP() << "h5py or netCDF4 is not here";
  ASSERT_EQ(0, made);
  const int file = open("long.h5");
  const std::string name(PIO_MAX_NAME, 'n');
  int named = -1, varid = -1, dimension = -7, count = 0;
  EXPECT_DONE(PIOc_inq_dimid(file, name.c_str(), &named));
  EXPECT_DONE(PIOc_inq_varid(file, "of_long_name", &varid));
  EXPECT_DONE(PIOc_inq_vardimid(file, varid, &dimension));
  EXPECT_EQ(named, dimension);
  EXPECT_DONE(PIOc_inq_ndims(file, &count));
  EXPECT_EQ(1, count);
  EXPECT_DONE(PIOc_closefile(file));
}

INSTANTIATE_TEST_SUITE_P(Files, Phony, testing::Values("plain", "named", "groups"),
                         [](const auto& one) { return std::string(one.param); });

TEST_P(Phony, AreThoseOfNetcdf) {
  const int made = run("make");
  if (made == 77) GTEST_SKIP() << "h5py or netCDF4 is not here";
  ASSERT_EQ(0, made);
  const int file = open("a.h5");
  const int dimensions = expect_as_netcdf(file);
  EXPECT_GT(dimensions, 0);
  int count = 0, structs = -1, id = -1;
  PIO_Offset length = 0;
  EXPECT_DONE(PIOc_inq_ndims(file, &count));
  EXPECT_TRUE(count == dimensions || count == dimensions + 1) << count;
  EXPECT_DONE(PIOc_inq_varid(file, "z structs", &structs));
  EXPECT_DONE(PIOc_inq_vardimid(file, structs, &id));
  EXPECT_EQ(count - 1, id);
  EXPECT_DONE(PIOc_inq_dimlen(file, id, &length));
  EXPECT_EQ(13, length);
  // No function moves structures.
  std::vector<double> values(13);
  const auto map = round_robin(13);
  const int by = decomposition(PIO_DOUBLE, {13}, map);
  EXPECT_EQ(PIO_EBADTYPE, PIOc_get_var_double(file, structs, values.data()));
  EXPECT_EQ(PIO_EBADTYPE, PIOc_get_var(file, structs, values.data()));
  EXPECT_EQ(PIO_EBADTYPE, PIOc_read_darray(file, structs, by, std::ssize(map), values.data()));
  EXPECT_DONE(PIOc_freedecomp(system_, by));
  nc_type type = PIO_INT;
  EXPECT_DONE(PIOc_inq_att(file, structs, "pairs", &type, &length));
  EXPECT_EQ(std::pair(nc_type{PIO_NAT}, PIO_Offset{2}), std::pair(type, length));
  EXPECT_EQ(PIO_EBADTYPE, PIOc_get_att(file, structs, "pairs", values.data()));
  EXPECT_EQ(PIO_EBADTYPE, PIOc_get_att_double(file, structs, "pairs", values.data()));
  EXPECT_EQ(PIO_EBADTYPE, PIOc_copy_att(file, structs, "pairs", file, PIO_GLOBAL));
  EXPECT_EQ(PIO_EBADDIM, PIOc_inq_dimlen(file, count, &length));
  const std::string phony = "phony_dim_";
  for (const char* none : {"phony_dim_99", "phony_dim_", "phony", "phony_dim_1x"})
    EXPECT_EQ(PIO_EBADDIM, PIOc_inq_dimid(file, none, &id)) << none;
  EXPECT_EQ(PIO_EINVAL, PIOc_inq_dimid(file, "/phony_dim_99", &id));
  for (int dimension = 0; dimension < count; ++dimension) {
    char name[PIO_MAX_NAME + 1] = "";
    EXPECT_DONE(PIOc_inq_dimname(file, dimension, name));
    if (!std::string_view(name).starts_with(phony)) continue;
    EXPECT_DONE(PIOc_inq_dimid(file, name, &id));
    EXPECT_EQ(dimension, id);
    EXPECT_EQ(PIO_ENOGRP, PIOc_inq_dimid(file, (std::string("/nowhere/") + name).c_str(), &id));
    EXPECT_EQ(PIO_EBADDIM, PIOc_inq_dimid(file, (phony + "0" + (name + phony.size())).c_str(), &id));
  }
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_P(Phony, VariablesArePutAndAdded) {
  const int made = run("make");
  if (made == 77) GTEST_SKIP() << "h5py or netCDF4 is not here";
  ASSERT_EQ(0, made);
  const int file = open("a.h5", PIO_WRITE);
  int count = 0, a = -1, unput = -1, added = -1, shared = -1;
  EXPECT_DONE(PIOc_inq_ndims(file, &count));
  EXPECT_DONE(PIOc_inq_varid(file, "a", &a));
  EXPECT_DONE(PIOc_inq_varid(file, "unput", &unput));
  EXPECT_DONE(PIOc_inq_vardimid(file, a, std::vector<int>(2).data()));
  int of_a[2] = {-1, -1};
  EXPECT_DONE(PIOc_inq_vardimid(file, a, of_a));
  // A new dimension comes after those that are shown; one without a name belongs to no other variable.
  EXPECT_DONE(PIOc_redef(file));
  const int eight = dimension(file, "eight", 8);
  EXPECT_EQ(count, eight);
  EXPECT_EQ(PIO_EBADDIM, PIOc_def_var(file, "shared", PIO_INT, 1, &of_a[1], &shared));
  EXPECT_EQ(PIO_EBADDIM, PIOc_rename_dim(file, of_a[1], "three"));
  char name[PIO_MAX_NAME + 1] = "";
  EXPECT_DONE(PIOc_inq_dimname(file, of_a[1], name));
  int id = -1;
  EXPECT_EQ(PIO_ENAMEINUSE, PIOc_def_dim(file, name, 2, &id));
  EXPECT_DONE(PIOc_def_var(file, "added", PIO_DOUBLE, 1, &eight, &added));
  EXPECT_DONE(PIOc_enddef(file));  // every rank has returned the codes
  expect_variable(file, "added", {eight});
  const PIO_Offset start[] = {1, 0}, row[] = {1, 3};
  const double values[] = {70, 71, 72};
  EXPECT_DONE(PIOc_put_vara_double(file, a, start, row, values));
  const auto map10 = round_robin(10), map8 = round_robin(8);
  const int by10 = decomposition(PIO_DOUBLE, {5, 2}, map10), by8 = decomposition(PIO_DOUBLE, {8}, map8);
  std::vector<double> ten, all;
  for (const PIO_Offset at : map10) ten.push_back(static_cast<double>(at - 1 + 100));
  for (const PIO_Offset at : map8) all.push_back(static_cast<double>(at - 1));
  ten.resize(10);
  all.resize(8);
  EXPECT_DONE(PIOc_write_darray(file, unput, by10, std::ssize(map10), ten.data(), nullptr));
  EXPECT_DONE(PIOc_write_darray(file, added, by8, std::ssize(map8), all.data(), nullptr));
  std::vector<double> read(10, -7), expected(10);
  EXPECT_DONE(PIOc_get_var_double(file, unput, read.data()));
  std::iota(expected.begin(), expected.end(), 100.0);
  EXPECT_EQ(expected, read);
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_EQ(0, run("check"));
  EXPECT_DONE(PIOc_freedecomp(system_, by10));
  EXPECT_DONE(PIOc_freedecomp(system_, by8));
}

// The file lists its variables by name: a new one comes before others when it is opened again.
TEST_P(Phony, DefinitionsThatDiffer) {
  if (ranks() == 1) GTEST_SKIP() << "it takes two ranks";
  const int made = run("make");
  if (made == 77) GTEST_SKIP() << "h5py or netCDF4 is not here";
  ASSERT_EQ(0, made);
  const int file = open("a.h5", PIO_WRITE);
  int a = -1, found = -1;
  EXPECT_DONE(PIOc_inq_varid(file, "a", &a));
  EXPECT_DONE(PIOc_redef(file));
  const int first = variable(file, "A", PIO_INT, {dimension(file, "eight", 8)});
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_sync(file));
  for (const bool defines : {true, false}) {
    if (defines) {
      EXPECT_DONE(PIOc_redef(file));
    }
    const int value = rank() == root_ ? 2 : 3;
    EXPECT_DONE(PIOc_put_att_int(file, first, "number", PIO_INT, 1, &value));
    EXPECT_EQ(PIO_EINVAL, defines ? PIOc_enddef(file) : PIOc_sync(file));
    EXPECT_DONE(PIOc_get_att_int(file, first, "number", &found));
    EXPECT_EQ(2, found);
    char name[PIO_MAX_NAME + 1] = "";
    EXPECT_DONE(PIOc_inq_varname(file, a, name, sizeof name));
    EXPECT_STREQ("a", name);
    expect_as_netcdf(file);
  }
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
