// The place of this rank in MPI_COMM_WORLD. Local.
#pragma once

#include <mpi.h>

namespace bench {

struct World {
  World() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  int rank = 0;
  int ranks = 0;
};

}  // namespace bench
