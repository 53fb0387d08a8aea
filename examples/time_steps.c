/* A model's output: every step adds a record of two variables, in one operation, to the netCDF file steps.nc
 * (or the file named). Then rank 0 alone looks at the first and last record. mpirun -n 4 time_steps [file]
 * docs/classic-files.md shows the lines between the marks.
 */
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code) {
  scorpio_error error;
  if (code == SCORPIO_OK) return;
  scorpio_error_last(&error);
  if (error.origin_rank >= 0) fprintf(stderr, "rank %d: ", error.origin_rank);
  fprintf(stderr, "%s\n", error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

enum { STEPS = 10, NY = 180, NX = 360 };

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "steps.nc";
  int rank, time, y, x;
  int64_t n;
  scorpio_iosystem* io;
  scorpio_decomp* rows;
  scorpio_file* file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  check(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  const int64_t dims[2] = {NY, NX};
  check(scorpio_decomp_uniform(io, 2, dims, &rows));
  check(scorpio_decomp_local_elements(rows, &n));
  double* state[2] = {malloc((size_t)(n + 1) * sizeof(double)), malloc((size_t)(n + 1) * sizeof(double))};

  /* <shown> */
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_CDF5, NULL, &file)); /* CDF2 for older readers */
  check(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &time));
  check(scorpio_dimension_define(file, "y", NY, &y));
  check(scorpio_dimension_define(file, "x", NX, &x));
  const int space[3] = {time, y, x};
  int variables[2], when;
  check(scorpio_variable_define_on(file, "temp", SCORPIO_FLOAT32, 3, space, &variables[0]));
  check(scorpio_variable_define_on(file, "salt", SCORPIO_FLOAT32, 3, space, &variables[1]));
  check(scorpio_variable_define_on(file, "time", SCORPIO_FLOAT64, 1, &time, &when));
  check(scorpio_attribute_put_text(file, when, "units", "days since 2000-01-01"));
  check(scorpio_define_end(file));

  for (int64_t step = 0; step < STEPS; step++) {
    for (int64_t i = 0; i < n; i++) {
      state[0][i] = (double)step + 0.5;
      state[1][i] = 35 - (double)step;
    }
    const int64_t one = 1;
    const double day = 30.0 * (double)step;
    const scorpio_access now = scorpio_hyperslab(when, &step, &one, SCORPIO_FLOAT64, &day);
    /* Two variables in one operation; doubles become floats on the way. */
    const scorpio_access both[2] = {scorpio_darray(variables[0], rows, step, SCORPIO_FLOAT64, state[0]),
                                    scorpio_darray(variables[1], rows, step, SCORPIO_FLOAT64, state[1])};
    check(scorpio_put_n(file, 2, both));
    if (rank == 0) check(scorpio_iput(file, &now, NULL)); /* not distributed: one rank's */
    check(scorpio_wait(file, SCORPIO_ALL_REQUESTS, NULL, NULL));
  }
  check(scorpio_file_close(file));
  /* </shown> */

  float corner[2] = {0, 0};
  const int64_t start[3] = {0, 0, 0}, stride[3] = {STEPS - 1, 1, 1}, count[3] = {2, 1, 1};
  check(scorpio_file_open(io, path, SCORPIO_READ, NULL, &file));
  check(scorpio_variable_find(file, "temp", &variables[0]));
  scorpio_access ends = scorpio_hyperslab(variables[0], start, count, SCORPIO_FLOAT32, corner);
  ends.stride = stride;
  check(scorpio_get_n(file, rank == 0 ? 1 : 0, &ends));
  check(scorpio_file_close(file));
  const int wrong = rank == 0 && (corner[0] != 0.5f || corner[1] != STEPS - 0.5f);
  if (rank == 0) printf("%s: %d records, temp %g to %g\n", path, STEPS, corner[0], corner[1]);
  for (int v = 0; v < 2; v++) free(state[v]);
  check(scorpio_decomp_free(rows));
  check(scorpio_iosystem_free(io));
  MPI_Finalize();
  return wrong;
}
