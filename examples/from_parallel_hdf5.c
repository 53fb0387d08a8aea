/* The program with_parallel_hdf5.c, with SCORPIO: the file has the same objects with the same values.
 *   mpirun -n 4 from_parallel_hdf5 [file]
 * docs/from-parallel-hdf5.md shows the lines between the marks.
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
  const char* path = argc > 1 ? argv[1] : "from_parallel_hdf5.h5";
  static double t[NY * NX];
  int rank, ranks, temperature;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t first = NY * rank / ranks, rows = NY * (rank + 1) / ranks - first;
  for (int64_t i = 0; i < rows * NX; i++) t[i] = (double)(first * NX + i);

  /* <shown> */
  scorpio_iosystem* io;
  scorpio_decomp* decomp;
  scorpio_file* file;
  const int64_t dims[2] = {NY, NX}, start[2] = {first, 0}, count[2] = {rows, NX};
  check(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));       /* once in the program */
  check(scorpio_decomp_block(io, 2, dims, start, count, &decomp)); /* for all variables of these extents */

  check(scorpio_file_create(io, path, SCORPIO_FORMAT_HDF5, NULL, &file));
  check(scorpio_variable_define(file, "/ocean/temperature", SCORPIO_FLOAT64, 2, dims, &temperature));
  const double scale = 0.01;
  check(scorpio_attribute_put(file, temperature, "scale_factor", SCORPIO_FLOAT64, 0, 0, NULL, SCORPIO_FLOAT64,
                              &scale));
  check(scorpio_put_darray(file, temperature, decomp, 0, SCORPIO_FLOAT64, t));
  check(scorpio_file_close(file));

  check(scorpio_decomp_free(decomp));
  check(scorpio_iosystem_free(io));
  /* </shown> */

  MPI_Finalize();
  return 0;
}
