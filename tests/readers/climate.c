/* climate write FILE FORMAT FORM FIRST RECORDS: a file as models write it, with the records FIRST, FIRST + 1,
 * ... of a time axis. FORM: plain; classic (model); filters; quantised; unlimited (two unlimited dimensions,
 * a group, texts). climate continue FILE RECORDS: reads RECORDS records that begin with number 0, and puts
 * one more. */
#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

enum { k_levels = 3, k_rows = 6, k_columns = 8 };

static scorpio_file* file;
static const char* form;
static int time_id, field, pressure;
static int dimensions[4]; /* time, lev, lat, lon */

static int is(const char* name) { return strcmp(form, name) == 0; }

static void text(int object, const char* name, const char* value) {
  must(scorpio_attribute_put_text(file, object, name, value));
}

/* The same values on all ranks. */
static void put_all(int variable, int64_t start, int64_t n, const double* values) {
  scorpio_access access = scorpio_hyperslab(variable, &start, &n, SCORPIO_FLOAT64, (void*)values);
  access.sharing = SCORPIO_ALL_RANKS;
  must(scorpio_put(file, &access));
}

static int define(const char* name, scorpio_type type, int ndims, const int* of, const char* units) {
  int variable;
  must(scorpio_variable_define_on(file, name, type, ndims, of, &variable));
  text(variable, "units", units);
  return variable;
}

static void put_axis(int variable, int64_t n, double first, double step) {
  double values[k_columns];
  for (int64_t i = 0; i < n; i++) values[i] = first + step * (double)i;
  put_all(variable, 0, n, values);
}

static void define_form(void) {
  const int shuffle_deflate[2] = {2, 1}, parameters[2] = {0, 1};
  const int64_t chunk[4] = {1, k_levels, 4, k_columns};
  const int32_t bits = 13; /* which keep integers below 16384 */
  if (is("plain") || is("unlimited")) return;
  must(scorpio_variable_define_chunks(file, field, chunk));
  must(scorpio_variable_define_filters(file, field, 2, shuffle_deflate, parameters));
  if (!is("quantised")) return;
  must(scorpio_attribute_put_values(file, field, "_QuantizeBitRoundNumberOfSignificantBits", SCORPIO_INT32, 1,
                                    &bits));
}

/* What programs for climate data have to leave out. */
static void define_more(void) {
  int two, obs, names;
  const char* const values[2] = {"one", "three"};
  const int64_t start = 0, count = 2;
  must(scorpio_dimension_define(file, "two", 2, &two));
  must(scorpio_dimension_define(file, "obs", SCORPIO_UNLIMITED, &obs));
  must(scorpio_variable_define_strings(file, "names", 1, &two, &names));
  must(scorpio_strings_put(file, names, &start, &count, NULL, values, 0));
  must(scorpio_attribute_put_strings(file, SCORPIO_GLOBAL, "list", 2, values));
  (void)define("/ocean/number", SCORPIO_UINT64, 1, &obs, "1");
}

static void define_all(void) {
  const float fill = -9e33F;
  const int plane[3] = {dimensions[0], dimensions[2], dimensions[3]};
  text(SCORPIO_GLOBAL, "Conventions", "CF-1.6");
  time_id = define("time", SCORPIO_FLOAT64, 1, dimensions, "hours since 2000-01-01 00:00:00");
  text(time_id, "standard_name", "time");
  field = define("ta", SCORPIO_FLOAT32, 4, dimensions, "K");
  pressure = define("ps", SCORPIO_FLOAT64, 3, plane, "Pa");
  must(scorpio_variable_fill_define(file, field, 1, &fill));
  define_form();
  if (is("unlimited")) define_more();
  const int lev = define("lev", SCORPIO_FLOAT64, 1, &dimensions[1], "hPa");
  const int lat = define("lat", SCORPIO_FLOAT64, 1, &dimensions[2], "degrees_north");
  const int lon = define("lon", SCORPIO_FLOAT64, 1, &dimensions[3], "degrees_east");
  put_axis(lev, k_levels, 1000, -250);
  put_axis(lat, k_rows, -75, 30);
  put_axis(lon, k_columns, 0, 45);
}

/* Elements of this rank of a field of one record: 1000 times the number of the record, and their index. */
static double* expected(scorpio_decomp* of, int number, int64_t* n) {
  int64_t mine, before = 0;
  must(scorpio_decomp_local_elements(of, &mine));
  MPI_Exscan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  double* values = malloc((size_t)(mine + 1) * sizeof *values);
  for (int64_t i = 0; i < mine; i++) values[i] = 1000.0 * number + (double)(before + i);
  *n = mine;
  return values;
}

static void put_record(int64_t record, int number, scorpio_decomp* volume, scorpio_decomp* plane) {
  int64_t n;
  const double hours = 6.0 * number;
  put_all(time_id, record, 1, &hours);
  double* values = expected(volume, number, &n);
  must(scorpio_put_darray(file, field, volume, record, SCORPIO_FLOAT64, values));
  free(values);
  values = expected(plane, number, &n);
  must(scorpio_put_darray(file, pressure, plane, record, SCORPIO_FLOAT64, values));
  free(values);
}

static void expect_record(int64_t record, int variable, scorpio_decomp* of) {
  int64_t n;
  double* const values = expected(of, (int)record, &n);
  double* const found = malloc((size_t)(n + 1) * sizeof *found);
  must(scorpio_get_darray(file, variable, of, record, SCORPIO_FLOAT64, found));
  for (int64_t i = 0; i < n; i++) {
    if (found[i] == values[i]) continue;
    fprintf(stderr, "record %d: %g instead of %g\n", (int)record, found[i], values[i]);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  free(found);
  free(values);
}

static void write_file(scorpio_iosystem* io, char** words, scorpio_decomp* volume, scorpio_decomp* plane) {
  scorpio_options* options;
  scorpio_format format;
  form = words[2];
  must(scorpio_options_create(&options));
  if (is("classic")) must(scorpio_options_set(options, "model", "classic"));
  must(scorpio_format_find(words[1], &format));
  must(scorpio_file_create(io, words[0], format, options, &file));
  must(scorpio_options_free(options));
  const char* const names[4] = {"time", "lev", "lat", "lon"};
  const int64_t extents[4] = {SCORPIO_UNLIMITED, k_levels, k_rows, k_columns};
  for (int d = 0; d < 4; d++) must(scorpio_dimension_define(file, names[d], extents[d], &dimensions[d]));
  define_all();
  const int first = atoi(words[3]), records = atoi(words[4]);
  for (int r = 0; r < records; r++) put_record(r, first + r, volume, plane);
}

static void continue_file(scorpio_iosystem* io, char** words, scorpio_decomp* volume, scorpio_decomp* plane) {
  const int64_t records = atoi(words[1]);
  must(scorpio_file_open(io, words[0], SCORPIO_WRITE, NULL, &file));
  must(scorpio_variable_find(file, "time", &time_id));
  must(scorpio_variable_find(file, "ta", &field));
  must(scorpio_variable_find(file, "ps", &pressure));
  for (int64_t r = 0; r < records; r++) {
    expect_record(r, field, volume);
    expect_record(r, pressure, plane);
  }
  put_record(records, (int)records, volume, plane);
}

int main(int argc, char** argv) {
  scorpio_iosystem* io;
  scorpio_decomp *volume, *plane;
  const int64_t extents[3] = {k_levels, k_rows, k_columns};
  MPI_Init(&argc, &argv);
  must(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  must(scorpio_decomp_uniform(io, 3, extents, &volume));
  must(scorpio_decomp_uniform(io, 2, extents + 1, &plane));
  if (argc == 7 && strcmp(argv[1], "write") == 0) {
    write_file(io, argv + 2, volume, plane);
  } else {
    continue_file(io, argv + 2, volume, plane);
  }
  must(scorpio_file_close(file));
  must(scorpio_decomp_free(plane));
  must(scorpio_decomp_free(volume));
  must(scorpio_iosystem_free(io));
  MPI_Finalize();
  return 0;
}
