/* The checks of the test clients. */
#include "check.h"

#include <string.h>

int world_rank = -1;
int world_size = 0;
static int failures;

void begin(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
}

int finish(void) {
  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (world_rank == 0 && all > 0) fprintf(stderr, "%d checks failed\n", all);
  MPI_Finalize();
  return all > 0;
}

int finish_alone(void) {
  MPI_Finalize();
  return failures > 0;
}

/* The first 25 are enough to see what is wrong. */
void complain(const char* file, int line, const char* what, long long want, long long got) {
  const char* name = strrchr(file, '/');
  if (++failures > 25) return;
  fprintf(stderr, "%s:%d: rank %d of %d: %s: expected %lld, got %lld\n", name == NULL ? file : name + 1, line,
          world_rank, world_size, what, want, got);
}

void expect_same(const char* file, int line, const char* what, int code, MPI_Comm comm) {
  int lowest = code, highest = code;
  MPI_Allreduce(&code, &lowest, 1, MPI_INT, MPI_MIN, comm);
  MPI_Allreduce(&code, &highest, 1, MPI_INT, MPI_MAX, comm);
  if (lowest != highest) complain(file, line, what, lowest, highest);
}
