/* with_netcdf FOLDER: netCDF-C and the PIO interface in one process: both have files open at the same time,
 * each reads what the other has written, and netCDF-C's functions are its own. */
#include <netcdf.h>
#include <pio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"
#include "must_nc.h"

enum { k_columns = 6 };

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "%s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int begin(int system, int iotype, const char* path, int* variable) {
  const int type = iotype;
  int file = -1, dims[2];
  must(PIOc_createfile(system, &file, &type, path, PIO_CLOBBER));
  must(PIOc_def_dim(file, "time", PIO_UNLIMITED, &dims[0]));
  must(PIOc_def_dim(file, "x", k_columns, &dims[1]));
  must(PIOc_def_var(file, "v", PIO_INT, 2, dims, variable));
  must(PIOc_enddef(file));
  return file;
}

static int begin_nc(const char* path, int* variable) {
  int file = -1, dims[2];
  must_nc(nc_create(path, NC_CLOBBER | NC_NETCDF4, &file));
  must_nc(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  must_nc(nc_def_dim(file, "x", k_columns, &dims[1]));
  must_nc(nc_def_var(file, "v", NC_INT, 2, dims, variable));
  must_nc(nc_def_var_deflate(file, *variable, 1, 1, 2));
  must_nc(nc_enddef(file));
  return file;
}

static void fill(int* values, int record) {
  for (int i = 0; i < k_columns; ++i) values[i] = 10 * record + i;
}

/* The records of both files are written in turns. */
static void write_in_turns(int file, int variable, int nc_file, int nc_variable) {
  for (int record = 0; record < 3; ++record) {
    const PIO_Offset start[] = {record, 0}, count[] = {1, k_columns};
    const size_t nc_start[] = {(size_t)record, 0}, nc_count[] = {1, k_columns};
    int values[k_columns];
    fill(values, record);
    must(PIOc_put_vara_int(file, variable, start, count, values));
    if (nc_file >= 0) must_nc(nc_put_vara_int(nc_file, nc_variable, nc_start, nc_count, values));
    if (record == 1) must(PIOc_sync(file));
  }
  must(PIOc_closefile(file));
  if (nc_file >= 0) must_nc(nc_close(nc_file));
}

/* `wrong`: the text of the failure if a value is another one. */
static void expect_records(const int* values, const char* wrong) {
  int expected[k_columns];
  for (int record = 0; record < 3; ++record) {
    fill(expected, record);
    for (int i = 0; i < k_columns; ++i) expect(values[record * k_columns + i] == expected[i], wrong);
  }
}

static void read_by_nc(const char* path) {
  int file = -1, values[3 * k_columns];
  must_nc(nc_open(path, NC_NOWRITE, &file));
  must_nc(nc_get_var_int(file, 0, values));
  must_nc(nc_close(file));
  expect_records(values, "netCDF-C reads other values");
}

/* A file of strings by netCDF-C, on the first rank. */
static void write_strings_by_nc(const char* path) {
  int file = -1, x = -1, variable = -1;
  const char* texts[] = {"one", "", "three words"};
  must_nc(nc_create(path, NC_NETCDF4 | NC_CLOBBER, &file));
  must_nc(nc_def_dim(file, "x", 3, &x));
  must_nc(nc_def_var(file, "texts", NC_STRING, 1, &x, &variable));
  must_nc(nc_put_var_string(file, variable, texts));
  must_nc(nc_close(file));
}

/* Reads it, changes one of the strings, and reads it again. */
static void change_strings(int system, const char* path) {
  const char* first[] = {"one", "", "three words"};
  const char* const changed = "changed";
  const PIO_Offset at = 0;
  for (int turn = 0; turn < 2; ++turn) {
    int file = -1, iotype = PIO_IOTYPE_NETCDF4P;
    char* texts[3];
    must(PIOc_openfile(system, &file, &iotype, path, PIO_WRITE));
    must(PIOc_get_var(file, 0, texts));
    for (int i = 0; i < 3; ++i) {
      expect(strcmp(first[i], texts[i]) == 0, "the PIO interface reads other strings");
      free(texts[i]);
    }
    first[0] = changed;
    must(PIOc_put_var1(file, 0, &at, &changed));
    must(PIOc_closefile(file));
  }
}

static void read_strings_by_nc(const char* path) {
  int file = -1;
  char* texts[3];
  must_nc(nc_open(path, NC_NOWRITE, &file));
  must_nc(nc_get_var_string(file, 0, texts));
  expect(strcmp("changed", texts[0]) == 0 && strcmp("three words", texts[2]) == 0,
         "netCDF-C reads other strings");
  must_nc(nc_free_string(3, texts));
  must_nc(nc_close(file));
}

/* What both say of the fill value of a variable of a classic file that is opened. */
static void compare_fill(int file, int nc_file, int variable) {
  int no_fill = -1, nc_no_fill = -1, value = 0, nc_value = 0;
  must(PIOc_inq_var_fill(file, variable, &no_fill, &value));
  must_nc(nc_inq_var_fill(nc_file, variable, &nc_no_fill, &nc_value));
  expect(no_fill == nc_no_fill && value == nc_value, "netCDF-C says something else of a fill value");
}

static void compare_fills(int system, const char* path) {
  int file = -1, nc_file = -1, variable = -1, iotype = PIO_IOTYPE_PNETCDF;
  const int fill_value = -9;
  must(PIOc_createfile(system, &file, &iotype, path, PIO_CLOBBER));
  must(PIOc_def_var(file, "plain", PIO_INT, 0, NULL, &variable));
  must(PIOc_def_var(file, "with_value", PIO_INT, 0, NULL, &variable));
  must(PIOc_def_var_fill(file, variable, 0, &fill_value));
  must(PIOc_closefile(file));
  must(PIOc_openfile(system, &file, &iotype, path, PIO_NOWRITE));
  must_nc(nc_open(path, NC_NOWRITE, &nc_file));
  compare_fill(file, nc_file, 0);
  compare_fill(file, nc_file, 1);
  must_nc(nc_close(nc_file));
  must(PIOc_closefile(file));
}

static void read_by_pio(int system, const char* path) {
  int file = -1, iotype = PIO_IOTYPE_NETCDF4P, values[3 * k_columns];
  must(PIOc_openfile(system, &file, &iotype, path, PIO_NOWRITE));
  must(PIOc_get_var_int(file, 0, values));
  must(PIOc_closefile(file));
  expect_records(values, "the PIO interface reads other values");
}

/* A program that is linked with netCDF-C gets its texts. */
static void compare_texts(void) {
  char text[256];
  for (int code = -33; code > -150; --code) {
    const char* const theirs = nc_strerror(code);
    if (strncmp(theirs, "Unknown", 7) == 0) continue;
    must(PIOc_strerror(code, text, sizeof text));
    expect(strcmp(theirs, text) == 0, "the text of a code is not that of netCDF-C");
  }
}

int main(int argc, char** argv) {
  const int types[] = {PIO_IOTYPE_PNETCDF, PIO_IOTYPE_NETCDF4C, PIO_IOTYPE_NETCDF4P};
  char path[4096], nc_path[4096];
  int system = -1, rank = 0;
  if (argc != 2) return 2;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  must(PIOc_Init_Intracomm(MPI_COMM_WORLD, 1, 1, 0, PIO_REARR_BOX, &system));
  compare_texts();
  (void)snprintf(nc_path, sizeof nc_path, "%s/by_nc.nc", argv[1]);
  for (int i = 0; i < 3; ++i) {
    int variable = -1, nc_variable = -1;
    (void)snprintf(path, sizeof path, "%s/type%d.nc", argv[1], types[i]);
    const int nc_file = rank == 0 ? begin_nc(nc_path, &nc_variable) : -1;
    const int file = begin(system, types[i], path, &variable);
    write_in_turns(file, variable, nc_file, nc_variable);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) read_by_nc(path);
    read_by_pio(system, nc_path);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  (void)snprintf(path, sizeof path, "%s/fills.nc", argv[1]);
  compare_fills(system, path);
  (void)snprintf(path, sizeof path, "%s/strings.nc", argv[1]);
  if (rank == 0) write_strings_by_nc(path);
  MPI_Barrier(MPI_COMM_WORLD);
  change_strings(system, path);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) read_strings_by_nc(path);
  must(PIOc_finalize(system));
  MPI_Finalize();
  return 0;
}
