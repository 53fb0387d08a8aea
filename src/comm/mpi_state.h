// Whether MPI can be called at all. Local; any thread; may be called at any time.
#pragma once

#include "base/status.h"

namespace scorpio::comm {

// Code::state before MPI_Init and after MPI_Finalize.
Status check_mpi();

}  // namespace scorpio::comm
