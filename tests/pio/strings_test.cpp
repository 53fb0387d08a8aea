// Variables of PIO_STRING, in netCDF-4 files.
#include <cstdlib>
#include <cstring>

#include "program.h"
#include "scorpio/scorpio.h"

namespace scorpio::pio_test {
namespace {

class Strings : public Program {
 protected:
  int create4(const std::string& name) { return create(name, PIO_CLOBBER, PIO_IOTYPE_NETCDF4C); }

  // All elements of the hyperslab; releases the copies of the library.
  static std::vector<std::string> texts(int file, int variable, const std::vector<PIO_Offset>& start,
                                        const std::vector<PIO_Offset>& count) {
    PIO_Offset n = 1;
    for (const PIO_Offset one : count) n *= one;
    std::vector<char*> found(static_cast<size_t>(n), nullptr);
    EXPECT_DONE(PIOc_get_vara(file, variable, start.data(), count.data(), found.data()));
    std::vector<std::string> copies;
    for (char* one : found) {
      copies.emplace_back(one == nullptr ? "NULL" : one);
      free(one);
    }
    return copies;
  }
};

using Texts = std::vector<std::string>;

TEST_F(Strings, OfTheRootAreWritten) {
  int file = create4("a.nc");
  const int x = dimension(file, "x", 3), y = dimension(file, "y", 2);
  int v = variable(file, "names", PIO_STRING, {y, x}), one = variable(file, "one", PIO_STRING, {});
  nc_type type = PIO_NAT;
  EXPECT_DONE(PIOc_inq_vartype(file, v, &type));
  EXPECT_EQ(PIO_STRING, type);
  EXPECT_DONE(PIOc_put_att_text(file, v, "long_name", 5, "names"));
  EXPECT_DONE(PIOc_enddef(file));
  const char* const of_root[] = {"a", "", "ccc", nullptr, "a longer text", "f"};
  const char* const of_others[] = {"1", "2", "3", "4", "5", "6"};
  const char* const single = rank() == root_ ? "single" : "other";
  EXPECT_DONE(PIOc_put_var(file, v, rank() == root_ ? of_root : of_others));
  EXPECT_DONE(PIOc_put_var(file, one, &single));
  const Texts expected{"a", "", "ccc", "", "a longer text", "f"};
  EXPECT_EQ(expected, texts(file, v, {0, 0}, {2, 3}));
  // Later ones replace earlier ones.
  const PIO_Offset at[] = {1, 2};
  const char* const last = "last";
  EXPECT_DONE(PIOc_put_var1(file, v, at, &of_root[4]));
  EXPECT_DONE(PIOc_put_var1(file, v, at, &last));
  EXPECT_DONE(PIOc_closefile(file));
  file = open("a.nc");
  EXPECT_DONE(PIOc_inq_varid(file, "names", &v));
  EXPECT_DONE(PIOc_inq_vartype(file, v, &type));
  EXPECT_EQ(PIO_STRING, type);
  EXPECT_EQ((Texts{"a longer text", "last"}), texts(file, v, {1, 1}, {1, 2}));
  EXPECT_DONE(PIOc_inq_varid(file, "one", &one));
  char* found = nullptr;
  EXPECT_DONE(PIOc_get_var(file, one, &found));
  EXPECT_STREQ("single", found);
  free(found);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Strings, StridesAndDistances) {
  const int file = create4("b.nc");
  const int v = variable(file, "v", PIO_STRING, {dimension(file, "x", 5)});
  const PIO_Offset start[] = {0}, count[] = {3}, stride[] = {2}, map[] = {2};
  const char* const values[] = {"0", "-", "2", "-", "4"};
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_DONE(PIOc_put_varm(file, v, start, count, stride, map, values, 0, MPI_DATATYPE_NULL));
  EXPECT_EQ((Texts{"0", "", "2", "", "4"}), texts(file, v, {0}, {5}));
  char* found[3] = {};
  EXPECT_DONE(PIOc_get_vars(file, v, start, count, stride, found));
  EXPECT_STREQ("2", found[1]);
  for (char* one : found) free(one);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Strings, OfRecords) {
  int file = create4("c.nc");
  const int time = dimension(file, "time", PIO_UNLIMITED);
  int v = variable(file, "date", PIO_STRING, {time});
  const int n = variable(file, "n", PIO_INT, {time});
  EXPECT_DONE(PIOc_enddef(file));
  const auto put = [&](PIO_Offset record, const char* text) {
    EXPECT_DONE(PIOc_put_var1(file, v, &record, &text));
  };
  put(0, "first");
  put(2, "third");
  const PIO_Offset four = 4;
  const int number = 7;
  EXPECT_DONE(PIOc_put_var1_int(file, n, &four, &number));
  PIO_Offset records = 0;
  EXPECT_DONE(PIOc_inq_dimlen(file, time, &records));
  EXPECT_EQ(5, records);
  EXPECT_EQ((Texts{"first", "", "third", "", ""}), texts(file, v, {0}, {5}));
  EXPECT_DONE(PIOc_closefile(file));
  file = open("c.nc", PIO_WRITE);
  EXPECT_DONE(PIOc_inq_varid(file, "date", &v));
  put(5, "sixth");
  put(0, "changed");
  EXPECT_DONE(PIOc_closefile(file));
  file = open("c.nc");
  EXPECT_EQ((Texts{"changed", "", "third", "", "", "sixth"}), texts(file, v, {0}, {6}));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Strings, WrongCalls) {
  int file = create4("d.nc");
  const int x = dimension(file, "x", 2);
  int v = variable(file, "v", PIO_STRING, {x});
  const int numbers = variable(file, "numbers", PIO_INT, {x});
  const int value = 1, values[] = {1, 2};
  EXPECT_EQ(PIO_EBADTYPE, PIOc_def_var_fill(file, v, 0, &value));
  EXPECT_EQ(-132, PIOc_def_var_deflate(file, v, 0, 1, 1));
  EXPECT_DONE(PIOc_enddef(file));  // all ranks have returned the codes
  const char* const texts_to_put[] = {"a", "b"};
  const PIO_Offset start[] = {1}, two[] = {2};
  EXPECT_EQ(PIO_ECHAR, PIOc_put_var_int(file, v, values));
  EXPECT_EQ(PIO_ECHAR, PIOc_put_var_text(file, v, "ab"));
  EXPECT_EQ(PIO_EEDGE, PIOc_put_vara(file, v, start, two, texts_to_put));
  const int d = decomposition(PIO_INT, {2}, round_robin(2));
  EXPECT_EQ(PIO_ECHAR, PIOc_write_darray(file, v, d, 2, values, nullptr));
  EXPECT_DONE(PIOc_put_var(file, numbers, values));
  EXPECT_DONE(PIOc_put_var(file, v, texts_to_put));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_EQ((Texts{"a", "b"}), texts(file, v, {0}, {2}));
  // One rank is wrong: all ranks return the code.
  char* found[2] = {};
  const int wrong = rank() == ranks() - 1 ? 77 : v;
  EXPECT_EQ(PIO_ENOTVAR, PIOc_get_var(file, wrong, found));
  EXPECT_DONE(PIOc_closefile(file));
  file = open("d.nc");
  EXPECT_EQ(PIO_ENOTVAR, PIOc_get_var(file, wrong, found));
  EXPECT_EQ((Texts{"b"}), texts(file, v, {1}, {1}));
  EXPECT_EQ(PIO_EPERM, PIOc_put_var(file, v, texts_to_put));
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_DONE(PIOc_freedecomp(system_, d));
}

TEST_F(Strings, ClassicFilesHaveNone) {
  const int file = create("e.nc", PIO_64BIT_DATA, PIO_IOTYPE_PNETCDF);
  int v = -1;
  const int x = dimension(file, "x", 2);
  EXPECT_EQ(PIO_EBADTYPE, PIOc_def_var(file, "v", PIO_STRING, 1, &x, &v));
  EXPECT_DONE(PIOc_closefile(file));
}

// An HDF5 file as other programs write it, with a list of 3 strings of 5 bytes and a single one.
void write_fixed_strings(const std::string& path) {
  scorpio_iosystem* system = nullptr;
  scorpio_file* file = nullptr;
  ASSERT_DONE(scorpio_iosystem_create(MPI_COMM_WORLD, nullptr, &system));
  ASSERT_DONE(scorpio_file_create(system, path.c_str(), SCORPIO_FORMAT_HDF5, nullptr, &file));
  const int64_t start[] = {0}, three[] = {3};
  int list = -1, single = -1;
  EXPECT_DONE(scorpio_variable_define_sized(file, "list", SCORPIO_TEXT, 5, 1, three, &list));
  EXPECT_DONE(scorpio_variable_define_sized(file, "single", SCORPIO_TEXT, 4, 0, nullptr, &single));
  scorpio_access access = scorpio_hyperslab(list, start, three, SCORPIO_TEXT, "fives\0\0\0\0\0two\0\0");
  access.sharing = SCORPIO_ALL_RANKS;
  EXPECT_DONE(scorpio_put(file, &access));
  access = scorpio_hyperslab(single, start, three, SCORPIO_TEXT, "four");
  access.sharing = SCORPIO_ALL_RANKS;
  EXPECT_DONE(scorpio_put(file, &access));
  EXPECT_DONE(scorpio_file_close(file));
  EXPECT_DONE(scorpio_iosystem_free(system));
}

TEST_F(Strings, OfFixedLengthAreRead) {
  write_fixed_strings(path("fixed.h5"));
  for (const int mode : {PIO_NOWRITE, PIO_WRITE}) {
    const int file = open("fixed.h5", mode);
    int list = -1, single = -1;
    nc_type type = PIO_NAT;
    EXPECT_DONE(PIOc_inq_varid(file, "list", &list));
    EXPECT_DONE(PIOc_inq_varid(file, "single", &single));
    EXPECT_DONE(PIOc_inq_vartype(file, list, &type));
    EXPECT_EQ(PIO_STRING, type);
    EXPECT_EQ((Texts{"fives", "", "two"}), texts(file, list, {0}, {3}));
    EXPECT_EQ((Texts{"two"}), texts(file, list, {2}, {1}));
    EXPECT_EQ((Texts{"four"}), texts(file, single, {}, {}));
    const PIO_Offset start[] = {0}, two[] = {2}, stride[] = {2}, map[] = {-1};
    char* found[2] = {};
    EXPECT_DONE(PIOc_get_vars(file, list, start, two, stride, found));
    EXPECT_STREQ("fives", found[0]);
    EXPECT_STREQ("two", found[1]);
    for (char* one : found) free(one);
    EXPECT_DONE(PIOc_get_varm(file, list, start, two, stride, map, found + 1, 0, MPI_DATATYPE_NULL));
    EXPECT_STREQ("two", found[0]);
    EXPECT_STREQ("fives", found[1]);
    for (char* one : found) free(one);
    char text[16];
    EXPECT_EQ(PIO_ECHAR, PIOc_get_var_text(file, list, text));
    const PIO_Offset many[] = {4};
    EXPECT_EQ(PIO_EEDGE, PIOc_get_vara(file, list, start, many, found));
    // One rank is wrong: all ranks return the code.
    EXPECT_EQ(PIO_ENOTVAR, PIOc_get_vara(file, rank() == ranks() - 1 ? 77 : list, start, two, found));
    const char* const values[] = {"a", "b", "c"};
    EXPECT_EQ(mode == PIO_WRITE ? PIO_EBADTYPE : PIO_EPERM, PIOc_put_var(file, list, values));
    EXPECT_DONE(PIOc_closefile(file));
  }
}

// Each rank gets the code at once; the next sync does not return it again.
TEST_F(Strings, NoBufferOnAnyRank) {
  const int file = create4("null.nc");
  const int x = dimension(file, "x", 2);
  const int v = variable(file, "v", PIO_STRING, {x}), n = variable(file, "n", PIO_INT, {x});
  const char* const values[] = {"one", "two"};
  EXPECT_DONE(PIOc_enddef(file));
  EXPECT_EQ(PIO_EINVAL, PIOc_put_var(file, n, nullptr));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_EQ(PIO_EINVAL, PIOc_put_var(file, v, nullptr));
  EXPECT_DONE(PIOc_sync(file));
  EXPECT_DONE(PIOc_put_var(file, v, values));
  EXPECT_EQ(PIO_EINVAL, PIOc_put_var(file, v, nullptr));
  EXPECT_EQ((Texts{"one", "two"}), texts(file, v, {0}, {2}));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Strings, TypeAndFillValue) {
  const int file = create4("f.nc");
  const int v = variable(file, "v", PIO_STRING, {dimension(file, "x", 2)});
  char name[PIO_MAX_NAME + 1] = "";
  PIO_Offset size = 0;
  EXPECT_DONE(PIOc_inq_type(file, PIO_STRING, name, &size));
  EXPECT_STREQ("string", name);
  EXPECT_EQ(static_cast<PIO_Offset>(sizeof(char*)), size);
  char* fill = nullptr;
  int no_fill = -1;
  EXPECT_DONE(PIOc_inq_var_fill(file, v, &no_fill, &fill));
  EXPECT_STREQ("", fill);
  free(fill);
  EXPECT_DONE(PIOc_closefile(file));
}

}  // namespace
}  // namespace scorpio::pio_test
