/* Writes the patches of an adaptive mesh, of which the ranks hold different numbers, by nonblocking requests
 * into patches.h5 (or the file named), and reads some of them back.
 *   mpirun -n 4 tutorial_requests [file]
 * docs/tutorial.md shows the lines between the marks.
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

enum { PATCHES = 23, SIDE = 8, CELLS = SIDE * SIDE };

static double value(int64_t patch, int64_t cell) { return (double)patch + 0.001 * (double)cell; }

static void write_file(scorpio_iosystem* io, const char* path, int rank, int ranks) {
  scorpio_file* file;
  int density, owner;
  double(*cells)[CELLS] = malloc(sizeof(double[PATCHES][CELLS]));
  for (int64_t p = rank; p < PATCHES; p += ranks) {
    for (int64_t c = 0; c < CELLS; c++) cells[p][c] = value(p, c);
  }
  /* <shown iput> */
  const int64_t dims[3] = {PATCHES, SIDE, SIDE};
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_HDF5, NULL, &file));
  check(scorpio_variable_define(file, "/patches/density", SCORPIO_FLOAT64, 3, dims, &density));
  check(scorpio_variable_define(file, "/patches/owner", SCORPIO_INT32, 1, dims, &owner));

  for (int64_t p = rank; p < PATCHES; p += ranks) { /* the ranks hold different numbers of patches */
    const int64_t start[3] = {p, 0, 0}, count[3] = {1, SIDE, SIDE};
    const scorpio_access patch = scorpio_hyperslab(density, start, count, SCORPIO_FLOAT64, cells[p]);
    check(scorpio_iput(file, &patch, NULL)); /* cells[p] is in use until the wait */
  }
  /* </shown> */

  /* <shown bput> */
  check(scorpio_buffer_attach(file, PATCHES * (int64_t)sizeof(int)));
  for (int64_t p = rank; p < PATCHES; p += ranks) {
    const int here = rank;
    const int64_t one = 1;
    const scorpio_access element = scorpio_hyperslab(owner, &p, &one, SCORPIO_INT32, &here);
    check(scorpio_bput(file, &element, NULL)); /* `here` was copied */
  }
  check(scorpio_wait(file, SCORPIO_ALL_REQUESTS, NULL, NULL)); /* of both variables and all ranks */
  check(scorpio_buffer_detach(file));
  check(scorpio_file_close(file));
  /* </shown> */
  free(cells);
}

static int64_t read_file(scorpio_iosystem* io, const char* path, int rank, int ranks) {
  scorpio_file* file;
  int density, owner, who = -1, statuses[2];
  int64_t wrong = 0;
  double cells[CELLS];
  check(scorpio_file_open(io, path, SCORPIO_READ, NULL, &file));
  check(scorpio_variable_find(file, "/patches/density", &density));
  check(scorpio_variable_find(file, "/patches/owner", &owner));
  /* <shown iget> */
  const int64_t p = (rank + 1) % PATCHES; /* a patch that another rank wrote */
  const int64_t start[3] = {p, 0, 0}, count[3] = {1, SIDE, SIDE};
  const scorpio_access patch = scorpio_hyperslab(density, start, count, SCORPIO_FLOAT64, cells);
  const scorpio_access element = scorpio_hyperslab(owner, start, count, SCORPIO_INT32, &who);
  scorpio_request requests[2];
  check(scorpio_iget(file, &patch, &requests[0]));
  check(scorpio_iget(file, &element, &requests[1]));
  check(scorpio_wait(file, 2, requests, statuses)); /* cells and who hold the values */
  /* </shown> */
  check(scorpio_file_close(file));
  for (int64_t c = 0; c < CELLS; c++) wrong += cells[c] != value(p, c);
  wrong += who != p % ranks || statuses[0] != SCORPIO_OK || statuses[1] != SCORPIO_OK;
  return wrong;
}

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "patches.h5";
  int rank, ranks;
  scorpio_iosystem* io;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  write_file(io, path, rank, ranks);
  const int64_t wrong = read_file(io, path, rank, ranks);
  printf("rank %d: %lld wrong\n", rank, (long long)wrong);
  check(scorpio_iosystem_free(io));
  MPI_Finalize();
  return wrong != 0;
}
