/* Before MPI_Init and after MPI_Finalize: STATE, where MPI itself would end the program. */
#include <mpi.h>
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <unistd.h>

#include "expect.h"

int main(int argc, char** argv) {
  char path[64], left[80];
  snprintf(path, sizeof path, "/tmp/scorpio-without-mpi-%d.nc", (int)getpid());
  snprintf(left, sizeof left, "%s.scorpio-tmp", path);
  scorpio_iosystem *io = NULL, *other = NULL;
  scorpio_file *file = NULL, *second = NULL;
  scorpio_decomp *decomp = NULL, *more = NULL;
  scorpio_options* options = NULL;
  const int64_t dims[1] = {4};
  int variable = -1, count;
  uint64_t opens;
  double values[4] = {1, 2, 3, 4};
  GOOD(scorpio_options_create(&options));
  EXPECT(SCORPIO_ERR_STATE, scorpio_iosystem_create(MPI_COMM_WORLD, options, &io));
  EXPECT(SCORPIO_ERR_STATE, scorpio_iosystem_create_f(0, options, &io));
  GOOD(scorpio_options_free(options));

  MPI_Init(&argc, &argv);
  GOOD(scorpio_iosystem_create(MPI_COMM_SELF, NULL, &io));
  GOOD(scorpio_decomp_uniform(io, 1, dims, &decomp));
  GOOD(scorpio_file_create(io, path, SCORPIO_FORMAT_DEFAULT, NULL, &file));
  GOOD(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 1, dims, &variable));
  MPI_Finalize();

  EXPECT(SCORPIO_ERR_STATE, scorpio_put_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, values));
  EXPECT(SCORPIO_ERR_STATE, scorpio_get_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, values));
  EXPECT(SCORPIO_ERR_STATE, scorpio_wait(file, SCORPIO_ALL_REQUESTS, NULL, NULL));
  EXPECT(SCORPIO_ERR_STATE, scorpio_file_sync(file));
  EXPECT(SCORPIO_ERR_STATE, scorpio_file_close(file));
  EXPECT(SCORPIO_ERR_STATE, scorpio_file_close(file));
  EXPECT(SCORPIO_ERR_STATE, scorpio_file_create(io, path, SCORPIO_FORMAT_DEFAULT, NULL, &second));
  EXPECT(SCORPIO_ERR_STATE, scorpio_file_open(io, path, SCORPIO_READ, NULL, &second));
  EXPECT(SCORPIO_ERR_STATE, scorpio_decomp_uniform(io, 1, dims, &more));
  EXPECT(SCORPIO_ERR_STATE, scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &other));
  EXPECT(SCORPIO_ERR_STATE, scorpio_iosystem_free(io));
  GOOD(scorpio_iosystem_io_ranks(io, &count, NULL));
  GOOD(scorpio_iosystem_counter(io, "opens", &opens));
  GOOD(scorpio_decomp_free(decomp));
  unlink(left);
  return wrong != 0;
}
