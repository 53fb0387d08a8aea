/* Uses the installed library: each of 2 ranks writes its row to a file and reads the other's. */
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <string.h>

#define CHECK(call) \
  if ((call) != SCORPIO_OK) return failed(#call)

static int failed(const char* call) {
  scorpio_error error;
  scorpio_error_last(&error);
  fprintf(stderr, "%s: %s\n", call, error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
  return 1;
}

static int write_row(scorpio_iosystem* io, const int64_t* dims, int rank) {
  const int64_t start[2] = {rank, 0}, count[2] = {1, 3};
  const int32_t row[3] = {10 * rank, 10 * rank + 1, 10 * rank + 2};
  scorpio_decomp* decomp;
  scorpio_file* file;
  int variable;
  CHECK(scorpio_decomp_block(io, 2, dims, start, count, &decomp));
  CHECK(scorpio_file_create(io, "downstream.h5", SCORPIO_FORMAT_DEFAULT, NULL, &file));
  CHECK(scorpio_variable_define(file, "rows", SCORPIO_INT32, 2, dims, &variable));
  CHECK(scorpio_put_darray(file, variable, decomp, 0, SCORPIO_INT32, row));
  CHECK(scorpio_file_close(file));
  CHECK(scorpio_decomp_free(decomp));
  return 0;
}

static int read_other_row(scorpio_iosystem* io, const int64_t* dims, int other) {
  const int64_t start[2] = {other, 0}, count[2] = {1, 3};
  const int32_t expected[3] = {10 * other, 10 * other + 1, 10 * other + 2};
  int32_t row[3] = {-1, -1, -1};
  scorpio_decomp* decomp;
  scorpio_file* file;
  int variable;
  CHECK(scorpio_decomp_block(io, 2, dims, start, count, &decomp));
  CHECK(scorpio_file_open(io, "downstream.h5", SCORPIO_READ, NULL, &file));
  CHECK(scorpio_variable_find(file, "rows", &variable));
  CHECK(scorpio_get_darray(file, variable, decomp, 0, SCORPIO_INT32, row));
  CHECK(scorpio_file_close(file));
  CHECK(scorpio_decomp_free(decomp));
  return memcmp(row, expected, sizeof row) != 0;
}

int main(int argc, char** argv) {
  const int64_t dims[2] = {2, 3};
  scorpio_iosystem* io;
  int rank, wrong;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  wrong = write_row(io, dims, rank) || read_other_row(io, dims, 1 - rank);
  CHECK(scorpio_iosystem_free(io));
  printf("SCORPIO %s, rank %d: %s\n", scorpio_version(), rank, wrong ? "wrong data" : "right");
  MPI_Finalize();
  return wrong;
}
