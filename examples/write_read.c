/* Writes an array that is spread over the ranks into field.h5 (or the file named), and reads it back.
 *   mpirun -n 4 write_read [file]
 * README.md shows the lines between the two marks.
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

static double value(int rank, int64_t i) { return rank + 0.001 * (double)i; }

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "field.h5";
  int rank, axes[2], temperature;
  int64_t n, wrong = 0;
  scorpio_iosystem* io;
  scorpio_decomp* rows;
  scorpio_file* file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  /* <shown> */
  const int64_t dims[2] = {600, 400};
  check(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  check(scorpio_decomp_uniform(io, 2, dims, &rows)); /* equal shares of the 600 rows */
  check(scorpio_decomp_local_elements(rows, &n));    /* how much of it this rank holds */
  double* mine = malloc((size_t)(n + 1) * sizeof *mine);
  for (int64_t i = 0; i < n; i++) mine[i] = value(rank, i);

  check(scorpio_file_create(io, path, SCORPIO_FORMAT_DEFAULT, NULL, &file));
  check(scorpio_dimension_define(file, "lat", dims[0], &axes[0]));
  check(scorpio_dimension_define(file, "lon", dims[1], &axes[1]));
  check(scorpio_variable_define_on(file, "/ocean/temperature", SCORPIO_FLOAT64, 2, axes, &temperature));
  check(scorpio_attribute_put_text(file, temperature, "units", "K"));
  check(scorpio_put_darray(file, temperature, rows, 0, SCORPIO_FLOAT64, mine)); /* mine is free again */
  check(scorpio_file_close(file));                                              /* all data are in the file */

  for (int64_t i = 0; i < n; i++) mine[i] = -1;
  check(scorpio_file_open(io, path, SCORPIO_READ, NULL, &file));
  check(scorpio_variable_find(file, "/ocean/temperature", &temperature));
  check(scorpio_get_darray(file, temperature, rows, 0, SCORPIO_FLOAT64, mine));
  check(scorpio_file_close(file));
  for (int64_t i = 0; i < n; i++) wrong += mine[i] != value(rank, i);
  /* </shown> */

  printf("rank %d: %lld elements, %lld wrong\n", rank, (long long)n, (long long)wrong);
  free(mine);
  check(scorpio_decomp_free(rows));
  check(scorpio_iosystem_free(io));
  MPI_Finalize();
  return wrong != 0;
}
