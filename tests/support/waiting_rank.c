// A rank that waits in MPI naps while tests run (nap_while_waiting.c): it uses a small part of the time that
// it waits.
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, failed = 0, token = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    const double begin = seconds(CLOCK_MONOTONIC), cpu_begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double waited = seconds(CLOCK_MONOTONIC) - begin,
                 used = seconds(CLOCK_THREAD_CPUTIME_ID) - cpu_begin;
    failed = used > waited / 3;
    printf("%s: waited %.3f s, with %.3f s of CPU time\n", failed ? "FAILED" : "ok", waited, used);
  } else if (rank == 1) {
    const struct timespec pause = {0, 500000000};
    nanosleep(&pause, NULL);
    MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return failed;
}
