/* Writes two variables of an unstructured ocean mesh, whose cells are spread over the ranks by a map, into
 * ocean.h5 (or the file named). The buffers of the ranks have padding, and no rank holds the cells on land.
 *   mpirun -n 4 tutorial_map [file]
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

enum { LEVELS = 5, CELLS = 700, LAND = 7, VECTOR = 8 };

static double value(int variable, int64_t level, int64_t cell) {
  return (double)(1000 * variable + 100 * level) + 0.125 * (double)cell;
}

/* The cells of this rank: every ranks-th one of those that are not on land. Returns their number. */
static int64_t partition(int rank, int ranks, int64_t* cells) {
  int64_t n = 0, wet = 0;
  for (int64_t cell = 0; cell < CELLS; cell++) {
    if (cell % LAND == 0) continue;
    if (wet++ % ranks == rank) cells[n++] = cell;
  }
  return n;
}

/* Compares what was written: the rank's own elements, the padding, and a cell on land. */
static int64_t read_file(scorpio_iosystem* io, const char* path, scorpio_decomp* ocean, const int64_t* index,
                         int64_t n) {
  scorpio_file* file;
  int salinity;
  int64_t wrong = 0;
  double land = 0, *mine = malloc((size_t)(n + 1) * sizeof *mine);
  check(scorpio_file_open(io, path, SCORPIO_READ, NULL, &file));
  check(scorpio_variable_find(file, "/ocean/salinity", &salinity));
  /* <shown get> */
  for (int64_t i = 0; i < n; i++) mine[i] = -1;
  check(scorpio_get_darray(file, salinity, ocean, 0, SCORPIO_FLOAT64, mine)); /* the padding is still -1 */

  const int64_t start[2] = {LEVELS - 1, LAND}, count[2] = {1, 1};
  scorpio_access cell = scorpio_hyperslab(salinity, start, count, SCORPIO_FLOAT64, &land);
  cell.sharing = SCORPIO_ALL_RANKS; /* every rank gets the value */
  check(scorpio_get(file, &cell));
  /* </shown> */
  check(scorpio_file_close(file));
  for (int64_t i = 0; i < n; i++)
    wrong += mine[i] != (index[i] < 0 ? -1 : value(1, index[i] / CELLS, index[i] % CELLS));
  free(mine);
  return wrong + (land != 1e20);
}

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "ocean.h5";
  int rank, ranks, temperature, salinity;
  int64_t cells[CELLS];
  scorpio_iosystem* io;
  scorpio_file* file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  check(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  const int64_t columns = partition(rank, ranks, cells);

  /* <shown map> */
  const int64_t dims[2] = {LEVELS, CELLS};
  const int64_t padded = (columns + VECTOR - 1) / VECTOR * VECTOR, n = LEVELS * padded;
  int64_t* index = malloc((size_t)(n + 1) * sizeof *index);
  for (int64_t level = 0; level < LEVELS; level++)
    for (int64_t c = 0; c < padded; c++)
      index[level * padded + c] = c < columns ? level * CELLS + cells[c] : -1;

  scorpio_decomp* ocean;
  check(scorpio_decomp_map(io, 2, dims, n, index, &ocean));
  /* </shown> */

  double* state[2] = {malloc((size_t)(n + 1) * sizeof(double)), malloc((size_t)(n + 1) * sizeof(double))};
  for (int64_t i = 0; i < n; i++)
    for (int v = 0; v < 2; v++) state[v][i] = index[i] < 0 ? 0 : value(v, index[i] / CELLS, index[i] % CELLS);

  /* <shown put> */
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_HDF5, NULL, &file));
  check(scorpio_variable_define(file, "/ocean/temperature", SCORPIO_FLOAT64, 2, dims, &temperature));
  check(scorpio_variable_define(file, "/ocean/salinity", SCORPIO_FLOAT64, 2, dims, &salinity));
  const double missing = 1e20;
  scorpio_access both[2] = {scorpio_darray(temperature, ocean, 0, SCORPIO_FLOAT64, state[0]),
                            scorpio_darray(salinity, ocean, 0, SCORPIO_FLOAT64, state[1])};
  both[0].fill = both[1].fill = &missing; /* for the cells that no rank holds */
  check(scorpio_put_n(file, 2, both));    /* one operation */
  check(scorpio_file_close(file));
  /* </shown> */

  const int64_t wrong = read_file(io, path, ocean, index, n);
  printf("rank %d: %lld cells, %lld wrong\n", rank, (long long)columns, (long long)wrong);
  for (int v = 0; v < 2; v++) free(state[v]);
  free(index);
  check(scorpio_decomp_free(ocean));
  check(scorpio_iosystem_free(io));
  MPI_Finalize();
  return wrong != 0;
}
