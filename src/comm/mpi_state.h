// Whether MPI can be called at all. Local; any thread; may be called at any time.
#pragma once

#include <mpi.h>

#include "base/status.h"

namespace scorpio::comm {

// Code::state before MPI_Init and after MPI_Finalize.
Status check_mpi();

// The communicator that Fortran names so; check_mpi() succeeded.
MPI_Comm from_fortran(MPI_Fint comm);

}  // namespace scorpio::comm
