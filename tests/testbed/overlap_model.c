/* overlap_model LEVEL HOW FILE: a model that puts one variable and then computes (sleeps) until most of it is
 * in storage, for 20 s at most. LEVEL: single, funneled, serialized or multiple. HOW: none: the model
 * computes for 0.2 s without a call; calls: it calls scorpio_progress() each 10 ms; thread: no call either,
 * the options ask for the progress thread. Element i of variable v is i. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scorpio/scorpio.h"
#include "support/need.h"

enum { k_elements = 1 << 16, k_nap_us = 10000, k_naps = 2000, k_naps_of_none = 20 };

static double values[k_elements];

static int level_of(const char* name) {
  if (strcmp(name, "single") == 0) return MPI_THREAD_SINGLE;
  if (strcmp(name, "funneled") == 0) return MPI_THREAD_FUNNELED;
  return strcmp(name, "serialized") == 0 ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
}

static long long bytes_of(const char* path) {
  struct stat found;
  return stat(path, &found) == 0 ? (long long)found.st_size : 0;
}

static void compute(scorpio_iosystem* system, const char* how, const char* path, long long enough) {
  const int calls = strcmp(how, "calls") == 0;
  int naps = strcmp(how, "none") == 0 ? k_naps_of_none : k_naps;
  for (; naps > 0 && bytes_of(path) < enough; --naps) {
    usleep(k_nap_us);
    if (calls) need(scorpio_progress(system), "progress");
  }
}

/* The I/O rank, which is rank 0, has left the put when the others make theirs. */
static void put(scorpio_file* file, int variable, scorpio_decomp* decomp, int rank) {
  if (rank == 0) need(scorpio_put_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, values), "put");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank != 0) need(scorpio_put_darray(file, variable, decomp, 0, SCORPIO_FLOAT64, values), "put");
}

int main(int argc, char** argv) {
  int rank = 0, ranks = 1, provided = 0, variable = -1;
  char unfinished[4200];
  if (argc != 4) return 2;
  MPI_Init_thread(&argc, &argv, level_of(argv[1]), &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(unfinished, sizeof unfinished, "%s.scorpio-tmp", argv[3]);
  const int64_t dims[1] = {(int64_t)ranks * k_elements};
  for (int i = 0; i < k_elements; ++i) values[i] = (double)rank * k_elements + i;

  scorpio_iosystem* system = NULL;
  scorpio_decomp* decomp = NULL;
  scorpio_file* file = NULL;
  need(scorpio_iosystem_create(MPI_COMM_WORLD, NULL, &system), "I/O system");
  need(scorpio_decomp_uniform(system, 1, dims, &decomp), "decomposition");
  need(scorpio_file_create(system, argv[3], SCORPIO_FORMAT_CDF5, NULL, &file), "file");
  need(scorpio_variable_define(file, "v", SCORPIO_FLOAT64, 1, dims, &variable), "variable");
  need(scorpio_define_end(file), "definitions");
  put(file, variable, decomp, rank);
  compute(system, argv[2], unfinished, dims[0] * (long long)sizeof(double) * 3 / 4);
  need(scorpio_file_close(file), "close");
  need(scorpio_decomp_free(decomp), "end of the decomposition");
  need(scorpio_iosystem_free(system), "end of the I/O system");
  MPI_Finalize();
  return 0;
}
