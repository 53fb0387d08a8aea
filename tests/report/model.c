/* A model for the tests of report and trace: in each step it computes (sleeps), writes a history file,
 * computes again and writes into a file with compressed chunks, which stays open during the run. mpirun -n 4
 * report_model folder */
#include <scorpio/scorpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void check(int code) {
  scorpio_error error;
  if (code == SCORPIO_OK) return;
  scorpio_error_last(&error);
  fprintf(stderr, "%s\n", error.text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

enum { STEPS = 4, NY = 240, NX = 1024, CHUNK = 40 };

static void compute(void) {
  const struct timespec time = {0, 100 * 1000 * 1000};
  nanosleep(&time, NULL);
}

static void write_history(scorpio_iosystem* io, const char* path, scorpio_decomp* rows, const double* state) {
  const int64_t dims[2] = {NY, NX};
  scorpio_file* file;
  int variables[2];
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_CDF5, NULL, &file));
  check(scorpio_variable_define(file, "temp", SCORPIO_FLOAT64, 2, dims, &variables[0]));
  check(scorpio_variable_define(file, "salt", SCORPIO_FLOAT32, 2, dims, &variables[1]));
  check(scorpio_define_end(file));
  for (int v = 0; v < 2; v++) check(scorpio_put_darray(file, variables[v], rows, 0, SCORPIO_FLOAT64, state));
  check(scorpio_file_close(file));
}

int main(int argc, char** argv) {
  char path[1000];
  scorpio_iosystem* io;
  scorpio_decomp* rows;
  scorpio_file* chunked;
  int64_t n;
  int variable;
  MPI_Init(&argc, &argv);
  check(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &io));
  const int64_t dims[2] = {NY, NX}, chunk[2] = {CHUNK, NX};
  const int filters[1] = {1}, levels[1] = {1};
  check(scorpio_decomp_uniform(io, 2, dims, &rows));
  check(scorpio_decomp_local_elements(rows, &n));
  double* state = malloc((size_t)(n + 1) * sizeof(double));
  for (int64_t i = 0; i < n; i++) state[i] = (double)(i % 1000);

  snprintf(path, sizeof(path), "%s/chunks.h5", argv[1]);
  check(scorpio_file_create(io, path, SCORPIO_FORMAT_HDF5, NULL, &chunked));
  check(scorpio_variable_define(chunked, "v", SCORPIO_FLOAT64, 2, dims, &variable));
  check(scorpio_variable_define_chunks(chunked, variable, chunk));
  check(scorpio_variable_define_filters(chunked, variable, 1, filters, levels));
  for (int step = 0; step < STEPS; step++) {
    compute();
    snprintf(path, sizeof(path), "%s/history%d.nc", argv[1], step);
    write_history(io, path, rows, state);
    compute();
    check(scorpio_put_darray(chunked, variable, rows, 0, SCORPIO_FLOAT64, state));
  }
  compute();
  check(scorpio_file_close(chunked));
  free(state);
  check(scorpio_decomp_free(rows));
  check(scorpio_iosystem_free(io));
  MPI_Finalize();
  return 0;
}
