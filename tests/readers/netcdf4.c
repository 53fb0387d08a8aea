/* netcdf4 write FILE MODEL: a netCDF-4 file with four records, as netcdf4.py expects it. netcdf4 continue
 * FILE RECORDS: the same with what this and other programs have added, read and continued by two records. */
#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

enum { k_rows = 6, k_columns = 4, k_records = 4, k_added = 2 };

static scorpio_file* file;
static scorpio_decomp* rows;
static int64_t mine, first;

static void expect(int truth, const char* what) {
  if (truth) return;
  fprintf(stderr, "not so: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Element i of the global array is begin + step * i. */
static void put(int variable, int64_t record, double begin, double step) {
  double* values = malloc((size_t)(mine + 1) * sizeof *values);
  for (int64_t i = 0; i < mine; i++) values[i] = begin + step * (double)(first + i);
  must(scorpio_put_darray(file, variable, rows, record, SCORPIO_FLOAT64, values));
  free(values);
}

static void expect_values(int variable, int64_t record, double begin, double step) {
  double* values = malloc((size_t)(mine + 1) * sizeof *values);
  must(scorpio_get_darray(file, variable, rows, record, SCORPIO_FLOAT64, values));
  for (int64_t i = 0; i < mine; i++) {
    expect(values[i] == begin + step * (double)(first + i), "values of a record");
  }
  free(values);
}

/* One element of a variable over the unlimited dimension alone. */
static void put_one(int variable, int64_t record, double value) {
  const int64_t one = 1;
  scorpio_access access = scorpio_hyperslab(variable, &record, &one, SCORPIO_FLOAT64, &value);
  access.sharing = SCORPIO_ALL_RANKS;
  must(scorpio_put(file, &access));
}

static void text(int object, const char* name, const char* value) {
  must(scorpio_attribute_put_text(file, object, name, value));
}

static void write_records(int time, int temperature, int flux) {
  for (int64_t t = 0; t < k_records; t++) {
    put_one(time, t, 0.5 + (double)t);
    put(temperature, t, 100.0 * (double)t, 1);
    put(flux, t, -100.0 * (double)t, -1);
    if (t == 1) must(scorpio_file_sync(file));
  }
}

/* What the classic model lacks: a second unlimited dimension, a group, an unsigned type. */
static void write_enhanced(void) {
  int obs, value, count;
  must(scorpio_dimension_define(file, "obs", SCORPIO_UNLIMITED, &obs));
  must(scorpio_variable_define_on(file, "value", SCORPIO_FLOAT64, 1, &obs, &value));
  must(scorpio_variable_define_on(file, "/ocean/count", SCORPIO_UINT64, 1, &obs, &count));
  for (int64_t i = 0; i < 2; i++) {
    put_one(value, i, (double)i);
    put_one(count, i, 10.0 + (double)i);
  }
}

static void define(int classic) {
  int dimensions[3], time, temperature, flux, mask, letters, plain;
  must(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &dimensions[0]));
  must(scorpio_dimension_define(file, "y", k_rows, &dimensions[1]));
  must(scorpio_dimension_define(file, "x", k_columns, &dimensions[2]));
  must(scorpio_variable_define_on(file, "time", SCORPIO_FLOAT64, 1, dimensions, &time));
  must(scorpio_variable_define_on(file, "temperature", SCORPIO_FLOAT32, 3, dimensions, &temperature));
  must(scorpio_variable_define_on(file, "flux", SCORPIO_FLOAT64, 3, dimensions, &flux));
  must(scorpio_variable_define_on(file, "mask", SCORPIO_INT32, 2, dimensions + 1, &mask));
  must(scorpio_variable_define_on(file, "letters", SCORPIO_TEXT, 1, dimensions + 2, &letters));
  const int64_t extent = 5, chunk[3] = {3, 4, 4};
  must(scorpio_variable_define(file, "plain", SCORPIO_INT16, 1, &extent, &plain));
  const int filters[2] = {2, 1}, parameters[2] = {0, 1};
  must(scorpio_variable_define_chunks(file, flux, chunk));
  must(scorpio_variable_define_filters(file, flux, 2, filters, parameters));
  const float fill = -1e30F;
  must(scorpio_variable_fill_define(file, temperature, 1, &fill));
  must(scorpio_variable_fill_define(file, mask, 1, NULL));
  text(SCORPIO_GLOBAL, "title", "records");
  text(time, "units", "days since 2000-01-01");
  const int64_t corner[2] = {0, 0}, row[2] = {1, k_columns};
  const int32_t ones[k_columns] = {1, 1, 1, 1};
  scorpio_access access = scorpio_hyperslab(mask, corner, row, SCORPIO_INT32, ones);
  access.sharing = SCORPIO_ALL_RANKS;
  must(scorpio_put(file, &access));
  write_records(time, temperature, flux);
  if (!classic) write_enhanced();
}

/* All records are put of two variables, of a third one the last. */
static void append(int64_t records, int temperature) {
  int time, flux;
  must(scorpio_variable_find(file, "time", &time));
  must(scorpio_variable_find(file, "flux", &flux));
  for (int64_t t = records; t < records + k_added; t++) {
    put_one(time, t, 0.5 + (double)t);
    put(temperature, t, 100.0 * (double)t, 1);
  }
  const int64_t last = records + k_added - 1;
  put(flux, last, -100.0 * (double)last, -1);
}

static void continue_file(int64_t records) {
  int time, temperature, late;
  int64_t length = 0;
  int unlimited = 0;
  must(scorpio_dimension_find(file, "time", &time));
  must(scorpio_dimension_inquire(file, time, NULL, 0, NULL, &length, &unlimited));
  expect(length == records && unlimited == 1, "the length of time");
  must(scorpio_variable_find(file, "temperature", &temperature));
  for (int64_t t = 0; t < records; t++) expect_values(temperature, t, 100.0 * (double)t, 1);
  append(records, temperature);
  if (scorpio_variable_find(file, "late", &late) == SCORPIO_OK) return;
  int dimensions[2];
  must(scorpio_dimension_find(file, "y", &dimensions[0]));
  must(scorpio_dimension_find(file, "x", &dimensions[1]));
  must(scorpio_variable_define_on(file, "late", SCORPIO_FLOAT64, 2, dimensions, &late));
  put(late, 0, 7, 2);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  scorpio_iosystem* io;
  scorpio_options* options;
  must(scorpio_options_create(&options));
  must(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  const int64_t dims[2] = {k_rows, k_columns};
  must(scorpio_decomp_uniform(io, 2, dims, &rows));
  must(scorpio_decomp_local_elements(rows, &mine));
  MPI_Exscan(&mine, &first, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (argc > 3 && strcmp(argv[1], "write") == 0) {
    must(scorpio_options_set(options, "model", argv[3]));
    must(scorpio_file_create(io, argv[2], SCORPIO_FORMAT_NETCDF4, options, &file));
    define(strcmp(argv[3], "classic") == 0);
  } else {
    must(scorpio_file_open(io, argv[2], SCORPIO_WRITE, options, &file));
    continue_file(atol(argv[3]));
  }
  must(scorpio_file_close(file));
  must(scorpio_decomp_free(rows));
  must(scorpio_iosystem_free(io));
  must(scorpio_options_free(options));
  MPI_Finalize();
  return 0;
}
