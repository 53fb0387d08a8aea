// main() of the tests that run under mpirun: rank 0 prints GoogleTest's output, the others only their
// failures, and a failure on any rank fails all.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <random>
#include <string>

#include "rank_reporter.h"
#include "verdict.h"

namespace {

// RapidCheck draws its seed per process; ranks must see the same random cases to make the same calls.
void share_random_seed() {
  unsigned long long seed = std::random_device{}();
  MPI_Bcast(&seed, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
  setenv("RC_PARAMS", ("seed=" + std::to_string(seed)).c_str(), 0);
}

void print_on_rank_zero_only(int rank) {
  if (rank == 0) return;
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  listeners.Append(new scorpio::test::RankReporter(rank));
}

int run_and_agree() {
  const int failed = RUN_ALL_TESTS();
  int mine[2] = {failed, scorpio::test::all_skipped() ? 0 : 1};
  int any[2] = {};
  MPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (any[0] != 0) return 1;
  return any[1] == 0 ? scorpio::test::k_not_run : 0;
}

// Tests in which several threads call MPI say so in the environment. False: MPI does not allow it.
bool start_mpi(int* argc, char*** argv) {
  if (std::getenv("TEST_WITH_MPI_THREADS") == nullptr) return MPI_Init(argc, argv) == MPI_SUCCESS;
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  return provided == MPI_THREAD_MULTIPLE;
}

}  // namespace

int main(int argc, char** argv) {
  if (!start_mpi(&argc, &argv)) {
    MPI_Finalize();
    return scorpio::test::k_not_run;
  }
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  share_random_seed();
  print_on_rank_zero_only(rank);
  const int verdict = run_and_agree();
  MPI_Finalize();
  return verdict;
}
