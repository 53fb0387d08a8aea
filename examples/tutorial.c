/* Writes a record variable that is decomposed into blocks, with a time axis, attributes and fill values, into
 * tutorial.nc (or the file named), and reads the last record back in another decomposition.
 *   mpirun -n 4 tutorial [file]
 * docs/tutorial.md shows the lines between the marks.
 */
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>

/* <shown check> */
static void check(int code) {
  scorpio_error error;
  if (code == SCORPIO_OK) return;
  scorpio_error_last(&error);
  if (error.origin_rank >= 0) fprintf(stderr, "rank %d: ", error.origin_rank);
  fprintf(stderr, "%s\n", error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
/* </shown> */

/* The model has no values in the outermost POLAR rows of the grid. */
enum { LAT = 60, LON = 90, POLAR = 6, ROWS = LAT - 2 * POLAR, STEPS = 4 };
static const float k_missing = -999;

static double value(int64_t step, int64_t lat, int64_t lon) {
  return lat < POLAR || lat >= LAT - POLAR ? k_missing : (double)(10 * step) + 0.5 * (double)(lat + lon);
}

/* The first row of part i if n rows are divided into equal parts. */
static int64_t first(int64_t n, int parts, int i) { return n * i / parts; }

static void define(scorpio_file* file, int* temperature, int* time, int* latitude) {
  /* <shown define> */
  int dimensions[3]; /* time, lat, lon */
  check(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &dimensions[0]));
  check(scorpio_dimension_define(file, "lat", LAT, &dimensions[1]));
  check(scorpio_dimension_define(file, "lon", LON, &dimensions[2]));
  check(scorpio_variable_define_on(file, "temperature", SCORPIO_FLOAT32, 3, dimensions, temperature));
  check(scorpio_variable_define_on(file, "time", SCORPIO_FLOAT64, 1, &dimensions[0], time));
  check(scorpio_variable_define_on(file, "lat", SCORPIO_FLOAT64, 1, &dimensions[1], latitude));
  /* </shown> */

  /* <shown describe> */
  check(scorpio_attribute_put_text(file, SCORPIO_GLOBAL, "Conventions", "CF-1.10"));
  check(scorpio_attribute_put_text(file, *temperature, "units", "K"));
  check(scorpio_attribute_put_text(file, *time, "units", "days since 2000-01-01"));
  check(scorpio_attribute_put_text(file, *latitude, "units", "degrees_north"));
  check(scorpio_variable_fill_define(file, *temperature, 1, &k_missing)); /* also its attribute _FillValue */
  check(scorpio_define_end(file));
  /* </shown> */
}

static void write_file(scorpio_iosystem* io, const char* path, scorpio_decomp* blocks, const int64_t* start,
                       const int64_t* count) {
  scorpio_file* file;
  int temperature, time, latitude;
  /* <shown create> */
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_CDF5, NULL, &file));
  /* </shown> */
  define(file, &temperature, &time, &latitude);

  /* <shown axis> */
  double degrees[LAT];
  for (int i = 0; i < LAT; i++) degrees[i] = -90 + (i + 0.5) * 180 / LAT;
  const int64_t zero = 0, all = LAT;
  scorpio_access axis = scorpio_hyperslab(latitude, &zero, &all, SCORPIO_FLOAT64, degrees);
  axis.sharing = SCORPIO_ALL_RANKS; /* all ranks give the same access; the data of rank 0 are written */
  check(scorpio_put(file, &axis));
  /* </shown> */

  double* mine = malloc((size_t)(count[0] * count[1] + 1) * sizeof *mine);
  /* <shown steps> */
  for (int64_t step = 0; step < STEPS; step++) {
    for (int64_t i = 0; i < count[0] * count[1]; i++)
      mine[i] = value(step, start[0] + i / count[1], start[1] + i % count[1]);
    check(scorpio_put_darray(file, temperature, blocks, step, SCORPIO_FLOAT64, mine));

    const double day = 0.25 * (double)step;
    const int64_t one = 1;
    scorpio_access now = scorpio_hyperslab(time, &step, &one, SCORPIO_FLOAT64, &day);
    now.sharing = SCORPIO_ALL_RANKS;
    check(scorpio_put(file, &now));
  }
  check(scorpio_file_close(file)); /* all data are in the file, under its final name */
  /* </shown> */
  free(mine);
}

static int64_t read_file(scorpio_iosystem* io, const char* path, int rank, int ranks) {
  scorpio_file* file;
  int temperature;
  int64_t n, wrong = 0;
  /* <shown read> */
  int64_t extents[3]; /* of time, lat, lon */
  scorpio_decomp* rows;
  check(scorpio_file_open(io, path, SCORPIO_READ, NULL, &file));
  check(scorpio_variable_find(file, "temperature", &temperature));
  check(scorpio_variable_inquire(file, temperature, NULL, NULL, NULL, extents, 3));
  check(scorpio_decomp_uniform(io, 2, &extents[1], &rows)); /* equal shares of the rows */
  check(scorpio_decomp_local_elements(rows, &n));
  double* mine = malloc((size_t)(n + 1) * sizeof *mine);
  check(scorpio_get_darray(file, temperature, rows, extents[0] - 1, SCORPIO_FLOAT64, mine));
  check(scorpio_file_close(file));
  check(scorpio_decomp_free(rows));
  /* </shown> */
  const int64_t more = LAT % ranks, row = LAT / ranks * rank + (rank < more ? rank : more);
  for (int64_t i = 0; i < n; i++) wrong += mine[i] != value(STEPS - 1, row + i / LON, i % LON);
  wrong += extents[0] != STEPS || extents[1] != LAT || extents[2] != LON;
  free(mine);
  return wrong;
}

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "tutorial.nc";
  scorpio_iosystem* io;
  scorpio_decomp* blocks;
  /* <shown start> */
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  /* </shown> */

  /* <shown decompose> */
  int grid[2] = {0, 0};
  MPI_Dims_create(ranks, 2, grid);
  const int row = rank / grid[1], column = rank % grid[1];
  const int64_t dims[2] = {LAT, LON};
  const int64_t start[2] = {POLAR + first(ROWS, grid[0], row), first(LON, grid[1], column)};
  const int64_t count[2] = {POLAR + first(ROWS, grid[0], row + 1) - start[0],
                            first(LON, grid[1], column + 1) - start[1]};
  check(scorpio_decomp_block(io, 2, dims, start, count, &blocks));
  /* </shown> */

  write_file(io, path, blocks, start, count);
  const int64_t wrong = read_file(io, path, rank, ranks);
  printf("rank %d: %lld wrong\n", rank, (long long)wrong);

  /* <shown end> */
  check(scorpio_decomp_free(blocks));
  check(scorpio_iosystem_free(io));
  MPI_Finalize();
  /* </shown> */
  return wrong != 0;
}
