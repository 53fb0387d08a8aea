// Whether MPI can be called, and what it says of this process. Local; any thread; at any time.
#pragma once

#include <mpi.h>

#include <string>

#include "base/status.h"

namespace scorpio::comm {

// Code::state before MPI_Init and after MPI_Finalize.
Status check_mpi();
// The same where an I/O system exists, for which MPI was initialized.
Status check_mpi_not_finalized();

// The support of threads with which MPI was initialized; check_mpi() must have succeeded.
struct ThreadLevel {
  const char* name = "";  // of MPI's constant
  bool multiple = false;  // several threads may call MPI at the same time
};
ThreadLevel thread_level();

// The rank of this process in MPI_COMM_WORLD; check_mpi() must have succeeded.
int world_rank();

// The library that implements MPI, with its version, as it describes itself in its first line. At any time.
std::string mpi_library();

// Converts a Fortran handle; check_mpi() must have succeeded.
MPI_Comm from_fortran(MPI_Fint comm);

}  // namespace scorpio::comm
