// main() of tests whose threads all use MPI; not run where MPI does not allow that.
#include <gtest/gtest.h>
#include <mpi.h>

#include "support/verdict.h"

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  testing::InitGoogleTest(&argc, argv);
  int failed = provided == MPI_THREAD_MULTIPLE ? RUN_ALL_TESTS() : scorpio::test::k_not_run;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
