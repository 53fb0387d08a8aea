/* In C: each rank writes its row and reads the next rank's. */
#include "part.h"

#include <scorpio/scorpio.h>

#define CHECK(call) \
  if ((call) != SCORPIO_OK) return 1

int part_c(const char* path) {
  int rank, ranks, variable;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int64_t dims[2] = {ranks, 3}, count[2] = {1, 3}, mine[2] = {rank, 0},
                next[2] = {(rank + 1) % ranks, 0};
  int32_t row[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2};
  scorpio_iosystem* io;
  scorpio_decomp *writing, *reading;
  scorpio_file* file;
  CHECK(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  CHECK(scorpio_decomp_block(io, 2, dims, mine, count, &writing));
  CHECK(scorpio_decomp_block(io, 2, dims, next, count, &reading));
  CHECK(scorpio_file_create(io, path, SCORPIO_FORMAT_DEFAULT, NULL, &file));
  CHECK(scorpio_variable_define(file, "rows", SCORPIO_INT32, 2, dims, &variable));
  CHECK(scorpio_put_darray(file, variable, writing, 0, SCORPIO_INT32, row));
  CHECK(scorpio_file_close(file));
  CHECK(scorpio_file_open(io, path, SCORPIO_READ, NULL, &file));
  CHECK(scorpio_variable_find(file, "rows", &variable));
  CHECK(scorpio_get_darray(file, variable, reading, 0, SCORPIO_INT32, row));
  CHECK(scorpio_file_close(file));
  CHECK(scorpio_decomp_free(writing));
  CHECK(scorpio_decomp_free(reading));
  CHECK(scorpio_iosystem_free(io));
  return row[0] != 10 * next[0] || row[2] != 10 * next[0] + 2;
}
