/* The program with_pnetcdf.c, call by call with SCORPIO: the file has the same bytes.
 *   mpirun -n 4 from_pnetcdf [file]
 * docs/from-pnetcdf.md shows the lines between the marks.
 */
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code) {
  scorpio_error error;
  if (code == SCORPIO_OK) return;
  scorpio_error_last(&error);
  fprintf(stderr, "%s\n", error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

enum { NY = 60, NX = 80 };

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "from_pnetcdf.nc";
  static double t[NY * NX];
  static float u[NY * NX], v[NY * NX];
  int rank, ranks, dims[3], temperature, wind[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t first = NY * rank / ranks, rows = NY * (rank + 1) / ranks - first;
  for (int64_t i = 0; i < rows * NX; i++) {
    t[i] = (double)(first * NX + i);
    u[i] = (float)(first * NX + i) / 2;
    v[i] = -u[i];
  }

  /* <shown> */
  scorpio_iosystem* io;
  scorpio_file* file;
  check(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io)); /* once in the program */
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_CDF5, NULL, &file));
  check(scorpio_dimension_define(file, "time", SCORPIO_UNLIMITED, &dims[0]));
  check(scorpio_dimension_define(file, "y", NY, &dims[1]));
  check(scorpio_dimension_define(file, "x", NX, &dims[2]));
  check(scorpio_variable_define_on(file, "t", SCORPIO_FLOAT64, 2, &dims[1], &temperature));
  check(scorpio_variable_define_on(file, "u", SCORPIO_FLOAT32, 3, dims, &wind[0]));
  check(scorpio_variable_define_on(file, "v", SCORPIO_FLOAT32, 3, dims, &wind[1]));
  check(scorpio_attribute_put_text(file, temperature, "units", "K"));
  check(scorpio_define_end(file));

  const int64_t start[3] = {0, first, 0}, count[3] = {1, rows, NX};
  const scorpio_access block = scorpio_hyperslab(temperature, &start[1], &count[1], SCORPIO_FLOAT64, t);
  check(scorpio_put(file, &block));

  const scorpio_access winds[2] = {scorpio_hyperslab(wind[0], start, count, SCORPIO_FLOAT32, u),
                                   scorpio_hyperslab(wind[1], start, count, SCORPIO_FLOAT32, v)};
  scorpio_request requests[2];
  int statuses[2];
  check(scorpio_iput(file, &winds[0], &requests[0]));
  check(scorpio_iput(file, &winds[1], &requests[1]));
  check(scorpio_wait(file, 2, requests, statuses));
  check(scorpio_file_close(file));
  check(scorpio_iosystem_free(io));
  /* </shown> */

  MPI_Finalize();
  return 0;
}
