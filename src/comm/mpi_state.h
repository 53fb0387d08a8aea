// Whether MPI can be called. Local; any thread; at any time.
#pragma once

#include <mpi.h>

#include "base/status.h"

namespace scorpio::comm {

// Code::state before MPI_Init and after MPI_Finalize.
Status check_mpi();

// Converts a Fortran handle; check_mpi() must have succeeded.
MPI_Comm from_fortran(MPI_Fint comm);

}  // namespace scorpio::comm
