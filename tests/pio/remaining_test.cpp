// Functions of the PIO interface that programs seldom call.
#include <cstdlib>
#include <fstream>
#include <string>

#include "program.h"

namespace scorpio::pio_test {
namespace {

class Remaining : public Program {};

TEST_F(Remaining, EverySystemFromFortran) {
  int system = -1;
  rearr_opt_t options{};
  ASSERT_DONE(
      PIOc_Init_Intracomm_from_F90(MPI_Comm_c2f(MPI_COMM_WORLD), 1, 1, 0, PIO_REARR_BOX, &options, &system));
  EXPECT_DONE(PIOc_finalize(system));
  ASSERT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_RETURN_ERROR, nullptr));
  EXPECT_NE(PIO_NOERR, PIOc_init_async(MPI_COMM_WORLD, 1, nullptr, 1, nullptr, nullptr, nullptr, nullptr,
                                       PIO_REARR_BOX, &system));
  EXPECT_NE(PIO_NOERR, PIOc_Init_Intercomm_from_F90(1, MPI_Comm_c2f(MPI_COMM_WORLD), nullptr,
                                                    MPI_Comm_c2f(MPI_COMM_NULL), PIO_REARR_BOX, &system));
  EXPECT_DONE(PIOc_set_iosystem_error_handling(PIO_DEFAULT, PIO_INTERNAL_ERROR, nullptr));
  EXPECT_DONE(PIOc_set_log_level(0));
  char text[64];
  EXPECT_DONE(PIOc_get_version_string(text, sizeof text));
  EXPECT_STREQ("2.0.1", text);
  EXPECT_DONE(PIOc_get_version_hash(text, sizeof text));
  EXPECT_EQ(0, PIOc_get_version_minor());
  EXPECT_EQ(1, PIOc_get_version_patch());
}

TEST_F(Remaining, WaysToOpenAFile) {
  int file = -1;
  EXPECT_DONE(PIOc_create(system_, path("a.nc").c_str(), PIO_64BIT_OFFSET, &file));
  int old = -1;
  EXPECT_DONE(PIOc_set_fill(file, PIO_NOFILL, &old));
  EXPECT_EQ(PIO_FILL, old);
  EXPECT_DONE(PIOc_closefile(file));
  int iotype = PIO_IOTYPE_HDF5C;  // opens every file
  EXPECT_DONE(PIOc_openfile2(system_, &file, &iotype, path("a.nc").c_str(), PIO_WRITE));
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_DONE(PIOc_openfile_retry(system_, &file, &iotype, path("a.nc").c_str(), PIO_64BIT_DATA, 1));
  EXPECT_EQ(PIO_EPERM, PIOc_set_fill(file, PIO_FILL, &old));
  EXPECT_DONE(PIOc_closefile(file));
  EXPECT_DONE(PIOc_open(system_, path("a.nc").c_str(), PIO_NOWRITE, &file));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Remaining, CountsWhoseProductIsTooLarge) {
  EXPECT_DONE(PIOc_set_iosystem_error_handling(system_, PIO_RETURN_ERROR, nullptr));
  const int file = create("counts.nc");
  const int time = dimension(file, "time", PIO_UNLIMITED);
  const int x = dimension(file, "x", 8);
  const int v = variable(file, "v", PIO_INT, {time, x});
  EXPECT_DONE(PIOc_enddef(file));
  const int value = 1;
  const PIO_Offset start[] = {0, 0};
  for (const int bits : {58, 60, 61, 62}) {  // with 8 times as many elements of 4 bytes
    const PIO_Offset count[] = {PIO_Offset{1} << bits, 8};
    EXPECT_EQ(PIO_EEDGE, PIOc_put_vara_int(file, v, start, count, &value)) << bits;
  }
  EXPECT_DONE(PIOc_sync(file));
  PIO_Offset records = -1;
  EXPECT_DONE(PIOc_inq_dimlen(file, time, &records));
  EXPECT_EQ(0, records);
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Remaining, NamesAreChanged) {
  const int file = create("b.nc");
  const int other = create("c.nc");
  const int x = dimension(file, "x", 2);
  const int v = variable(file, "v", PIO_INT, {x});
  EXPECT_DONE(PIOc_put_att_text(file, v, "units", 1, "m"));
  EXPECT_DONE(PIOc_rename_dim(file, x, "lon"));
  EXPECT_DONE(PIOc_rename_var(file, v, "temperature"));
  EXPECT_DONE(PIOc_rename_att(file, v, "units", "unit"));
  char name[PIO_MAX_NAME + 1];
  EXPECT_DONE(PIOc_inq_dimname(file, x, name));
  EXPECT_STREQ("lon", name);
  EXPECT_DONE(PIOc_inq_varname(file, v, name, 5));
  EXPECT_STREQ("temp", name);
  EXPECT_DONE(PIOc_inq_attname(file, v, 0, name));
  EXPECT_STREQ("unit", name);
  nc_type type = 0;
  EXPECT_DONE(PIOc_inq_atttype(file, v, "unit", &type));
  EXPECT_EQ(PIO_CHAR, type);
  EXPECT_DONE(PIOc_copy_att(file, v, "unit", other, PIO_GLOBAL));
  int count = -1;
  EXPECT_DONE(PIOc_inq_natts(other, &count));
  EXPECT_EQ(1, count);
  EXPECT_DONE(PIOc_del_att(file, v, "unit"));
  EXPECT_EQ(PIO_ENOTATT, PIOc_del_att(file, v, "unit"));
  EXPECT_DONE(PIOc_inq_varnatts(file, v, &count));
  EXPECT_EQ(0, count);
  EXPECT_DONE(PIOc_closefile(other));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Remaining, InquiriesOfOneValue) {
  const int file = create("d.nc");
  int value = -7;
  EXPECT_DONE(PIOc_inq_unlimdim(file, &value));
  EXPECT_EQ(-1, value);
  const int time = dimension(file, "time", PIO_UNLIMITED);
  const int v = variable(file, "v", PIO_REAL, {time});
  EXPECT_DONE(PIOc_inq_unlimdim(file, &value));
  EXPECT_EQ(time, value);
  int unlimited[4] = {-1};
  EXPECT_DONE(PIOc_inq_unlimdims(file, &value, unlimited));
  EXPECT_EQ(1, value);
  EXPECT_EQ(time, unlimited[0]);
  EXPECT_DONE(PIOc_inq_ndims(file, &value));
  EXPECT_EQ(1, value);
  EXPECT_DONE(PIOc_inq_nvars(file, &value));
  EXPECT_EQ(1, value);
  EXPECT_DONE(PIOc_inq_vartype(file, v, &value));
  EXPECT_EQ(PIO_FLOAT, value);
  EXPECT_DONE(PIOc_inq_varndims(file, v, &value));
  EXPECT_EQ(1, value);
  EXPECT_DONE(PIOc_inq_vardimid(file, v, &value));
  EXPECT_EQ(time, value);
  char name[PIO_MAX_NAME + 1];
  PIO_Offset size = 0;
  EXPECT_DONE(PIOc_inq_type(file, PIO_DOUBLE, name, &size));
  EXPECT_STREQ(usual_iotype() == PIO_IOTYPE_PNETCDF ? "some type" : "double", name);
  EXPECT_EQ(8, size);
  EXPECT_EQ(PIO_EBADTYPE, PIOc_inq_type(file, 99, name, &size));
  EXPECT_DONE(PIOc_closefile(file));
}

TEST_F(Remaining, MapsFromFortran) {
  const auto map = round_robin(6);
  const int extents[] = {2, 3};
  const int comm = MPI_Comm_c2f(MPI_COMM_WORLD);
  int system = -1;
  ASSERT_DONE(PIOc_Init_Intracomm_from_F90(comm, 1, 1, 0, PIO_REARR_BOX, nullptr, &system));
  EXPECT_DONE(PIOc_finalize(system));
  EXPECT_DONE(PIOc_writemap_from_f90(path("m.dat").c_str(), -1, 2, extents,
                                     static_cast<PIO_Offset>(map.size()), map.data(), comm));
  int ndims = 0;
  int* gdims = nullptr;
  PIO_Offset length = 0;
  PIO_Offset* read = nullptr;
  ASSERT_DONE(PIOc_readmap_from_f90(path("m.dat").c_str(), &ndims, &gdims, &length, &read, comm));
  EXPECT_EQ(map, std::vector<PIO_Offset>(read, read + length));
  EXPECT_EQ((std::vector<int>{2, 3}), std::vector<int>(gdims, gdims + ndims));
  std::free(gdims);
  std::free(read);
  std::ifstream text(path("m.dat"));
  std::string line;
  std::getline(text, line);
  std::getline(text, line);
  EXPECT_EQ("3 2 ", line) << "the first extent of Fortran is the last one of C";
}

TEST_F(Remaining, FinalizeClosesFiles) {
  int system = -1, file = -1;
  int iotype = PIO_IOTYPE_PNETCDF;
  ASSERT_DONE(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system));
  ASSERT_DONE(PIOc_createfile(system, &file, &iotype, path("e.nc").c_str(), 0));
  const int v = variable(file, "v", PIO_INT, {});
  const int value = 42;
  EXPECT_DONE(PIOc_put_var_int(file, v, &value));
  EXPECT_DONE(PIOc_finalize(system));
  EXPECT_EQ(0, PIOc_File_is_Open(file));
  const int again = open("e.nc");
  int read = 0;
  EXPECT_DONE(PIOc_get_var_int(again, v, &read));
  EXPECT_EQ(42, read);
  EXPECT_DONE(PIOc_closefile(again));
}

}  // namespace
}  // namespace scorpio::pio_test
