// Files in HDF5, which the PIO interface opens but does not create.
#include <scorpio/scorpio.h>

#include "program.h"

namespace scorpio::pio_test {
namespace {

class Netcdf4 : public Program {
 protected:
  // v(y, x) of single precision with its attribute units, and a text.
  void write_file(const std::string& name) {
    scorpio_iosystem* system = nullptr;
    scorpio_file* file = nullptr;
    ASSERT_DONE(scorpio_iosystem_create(MPI_COMM_WORLD, nullptr, &system));
    ASSERT_DONE(scorpio_file_create(system, path(name).c_str(), SCORPIO_FORMAT_HDF5, nullptr, &file));
    int dimensions[2] = {}, v = -1, text = -1;
    EXPECT_DONE(scorpio_dimension_define(file, "y", 2, &dimensions[0]));
    EXPECT_DONE(scorpio_dimension_define(file, "x", 3, &dimensions[1]));
    EXPECT_DONE(scorpio_variable_define_on(file, "v", SCORPIO_FLOAT32, 2, dimensions, &v));
    const int64_t one[] = {1};
    EXPECT_DONE(scorpio_variable_define_sized(file, "text", SCORPIO_TEXT, 8, 1, one, &text));
    EXPECT_DONE(scorpio_attribute_put_text(file, v, "units", "metre"));
    const float values[] = {0, 1, 2, 3, 4, 5};
    const int64_t start[] = {0, 0}, count[] = {2, 3};
    scorpio_access access = scorpio_hyperslab(v, start, count, SCORPIO_FLOAT32, values);
    access.sharing = SCORPIO_ALL_RANKS;
    EXPECT_DONE(scorpio_put(file, &access));
    EXPECT_DONE(scorpio_file_close(file));
    EXPECT_DONE(scorpio_iosystem_free(system));
  }
};

TEST_F(Netcdf4, IsOpenedByEveryType) {
  write_file("a.nc");
  for (int iotype = PIO_IOTYPE_PNETCDF; iotype <= PIO_IOTYPE_HDF5C; ++iotype) {
    int file = -1, format = 0, v = -1, ndims = 0;
    ASSERT_DONE(PIOc_openfile(system_, &file, &iotype, path("a.nc").c_str(), PIO_NOWRITE));
    EXPECT_DONE(PIOc_inq_format(file, &format));
    EXPECT_EQ(3, format);
    EXPECT_DONE(PIOc_inq_varid(file, "v", &v));
    EXPECT_DONE(PIOc_inq_varndims(file, v, &ndims));
    EXPECT_EQ(2, ndims);
    char units[6] = {};
    EXPECT_DONE(PIOc_get_att_text(file, v, "units", units));
    EXPECT_STREQ("metre", units);
    const auto map = round_robin(6);
    const int d = decomposition(PIO_DOUBLE, {2, 3}, map);
    std::vector<double> read(map.size());
    EXPECT_DONE(PIOc_read_darray(file, v, d, static_cast<PIO_Offset>(read.size()), read.data()));
    for (size_t i = 0; i < map.size(); ++i) EXPECT_EQ(static_cast<double>(map[i] - 1), read[i]);
    EXPECT_DONE(PIOc_freedecomp(system_, d));
    EXPECT_DONE(PIOc_closefile(file));
  }
}

TEST_F(Netcdf4, TellsHowVariablesAreStored) {
  write_file("b.nc");
  const int file = open("b.nc");
  int v = -1, shuffle = -1, deflate = -1, level = -1, storage = -1, endian = -1;
  EXPECT_DONE(PIOc_inq_varid(file, "v", &v));
  EXPECT_DONE(PIOc_inq_var_deflate(file, v, &shuffle, &deflate, &level));
  EXPECT_EQ(0, shuffle);
  EXPECT_EQ(0, deflate);
  EXPECT_DONE(PIOc_inq_var_chunking(file, v, &storage, nullptr));
  EXPECT_EQ(NC_CONTIGUOUS, storage);
  EXPECT_DONE(PIOc_inq_var_endian(file, v, &endian));
  EXPECT_EQ(PIO_EPERM, PIOc_def_var_deflate(file, v, 0, 1, 1));
  EXPECT_DONE(PIOc_closefile(file));
}

// A string of several characters is no character.
TEST_F(Netcdf4, StringsAreNoCharacters) {
  write_file("c.nc");
  const int file = open("c.nc");
  int text = -1;
  nc_type type = PIO_NAT;
  EXPECT_DONE(PIOc_inq_varid(file, "text", &text));
  EXPECT_DONE(PIOc_inq_vartype(file, text, &type));
  EXPECT_EQ(PIO_STRING, type);
  char one = 'a';
  EXPECT_EQ(PIO_ECHAR, PIOc_get_var_text(file, text, &one));
  EXPECT_EQ('a', one);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Netcdf4, DefineModeDoesNothing) {
  write_file("d.nc");
  const int file = open("d.nc", PIO_WRITE);
  EXPECT_DONE(PIOc_redef(file));
  EXPECT_DONE(PIOc_put_att_text(file, PIO_GLOBAL, "title", 5, "title"));
  EXPECT_DONE(PIOc_enddef(file));
  int v = -1;
  EXPECT_DONE(PIOc_inq_varid(file, "v", &v));
  const float values[] = {9, 8, 7, 6, 5, 4};
  EXPECT_DONE(PIOc_put_var_float(file, v, values));
  EXPECT_DONE(PIOc_closefile(file));
  const int again = open("d.nc");
  float read[6] = {};
  EXPECT_DONE(PIOc_get_var_float(again, v, read));
  EXPECT_EQ(4.0f, read[5]);
  EXPECT_DONE(PIOc_closefile(again));
}

// As with netCDF-C: fill mode is on in an opened file, and off again by set_fill.
TEST_F(Netcdf4, NewVariablesOfAnOpenedFileAreFilled) {
  for (const bool filled : {true, false}) {
    int file = create("f.nc", PIO_CLOBBER, PIO_IOTYPE_NETCDF4P);
    const int x = dimension(file, "x", 4);
    const int old = variable(file, "old", PIO_INT, {x});
    EXPECT_DONE(PIOc_closefile(file));
    file = open("f.nc", PIO_WRITE);
    int mode = -1, no_fill = -1;
    if (!filled) {
      EXPECT_DONE(PIOc_set_fill(file, PIO_NOFILL, &mode));
      EXPECT_EQ(PIO_FILL, mode);
    }
    const int time = dimension(file, "time", PIO_UNLIMITED);
    const int v = variable(file, "v", PIO_INT, {x});
    const int records = variable(file, "records", PIO_DOUBLE, {time, x});
    EXPECT_DONE(PIOc_inq_var_fill(file, v, &no_fill, nullptr));
    EXPECT_EQ(filled ? 0 : 1, no_fill);
    EXPECT_DONE(PIOc_inq_var_fill(file, old, &no_fill, nullptr));
    EXPECT_EQ(1, no_fill);
    const PIO_Offset at[] = {1, 2};
    EXPECT_DONE(PIOc_put_var1_int(file, v, &at[1], &x));
    const double one = 1;
    EXPECT_DONE(PIOc_put_var1_double(file, records, at, &one));
    EXPECT_DONE(PIOc_closefile(file));
    file = open("f.nc");
    EXPECT_DONE(PIOc_inq_var_fill(file, v, &no_fill, nullptr));
    EXPECT_EQ(filled ? 0 : 1, no_fill);
    std::vector<int> read(4, -1);
    std::vector<double> read_records(8, -1);
    EXPECT_DONE(PIOc_get_var_int(file, v, read.data()));
    EXPECT_DONE(PIOc_get_var_double(file, records, read_records.data()));
    EXPECT_EQ(x, read[2]);
    EXPECT_EQ(one, read_records[6]);
    if (filled) {
      EXPECT_EQ(PIO_FILL_INT, read[1]);
      EXPECT_EQ(PIO_FILL_DOUBLE, read_records[0]);
      EXPECT_EQ(PIO_FILL_DOUBLE, read_records[7]);
    }
    EXPECT_DONE(PIOc_closefile(file));
  }
}

}  // namespace
}  // namespace scorpio::pio_test
