/* One rank passes a decomposition that is gone to a collective call: all ranks come back, with HANDLE. */
#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "expect.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, variable = -1, pid = (int)getpid();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD);
  char path[64];
  snprintf(path, sizeof path, "/tmp/scorpio-one-rank-%d.h5", pid);
  scorpio_iosystem* io = NULL;
  scorpio_file* file = NULL;
  scorpio_decomp *decomp = NULL, *freed = NULL;
  scorpio_options* options = NULL;
  const int64_t dims[1] = {12};
  double values[12] = {0};
  GOOD(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  GOOD(scorpio_decomp_uniform(io, 1, dims, &decomp));
  GOOD(scorpio_decomp_uniform(io, 1, dims, &freed));
  GOOD(scorpio_decomp_free(freed));
  GOOD(scorpio_options_create(&options));
  if (rank == 1) GOOD(scorpio_options_free(options));
  EXPECT(SCORPIO_ERR_HANDLE, scorpio_file_create(io, path, SCORPIO_FORMAT_DEFAULT, options, &file));
  GOOD(scorpio_file_create(io, path, SCORPIO_FORMAT_DEFAULT, NULL, &file));
  GOOD(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 1, dims, &variable));
  GOOD(scorpio_put_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, values));
  GOOD(scorpio_file_close(file));
  GOOD(scorpio_file_open(io, path, SCORPIO_READ, NULL, &file));
  GOOD(scorpio_variable_find(file, "v", &variable));
  EXPECT(SCORPIO_ERR_HANDLE,
         scorpio_get_darray(file, variable, rank == 1 ? freed : decomp, 0, SCORPIO_FLOAT64, values));
  scorpio_file_close(file); /* it may tell the same again, on all ranks */
  if (rank != 1) GOOD(scorpio_options_free(options));
  GOOD(scorpio_decomp_free(decomp));
  GOOD(scorpio_iosystem_free(io));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) unlink(path);
  MPI_Finalize();
  return wrong != 0;
}
