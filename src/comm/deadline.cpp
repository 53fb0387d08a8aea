#include "comm/deadline.h"

#include <mpi.h>

#include <cstdio>
#include <cstdlib>

#include "base/current_call.h"
#include "comm/mpi_state.h"

namespace scorpio::comm {

// No status can be returned to the caller: each return from a collective call requires an agreement of all
// ranks.
void Deadline::end_job() const {
  std::fprintf(
      stderr,
      "scorpio: rank %d has waited %lld s for other ranks in %s: a rank or a connection is lost, or they "
      "need longer than option timeout_s allows; the job ends\n",
      world_rank(), static_cast<long long>(longest_.count()), current_call());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::abort();
}

}  // namespace scorpio::comm
