#include "counted_calls.h"

#include <mpi.h>

namespace {
int counted = 0;
}

namespace scorpio::pio_test {
int counted_calls() { return counted; }
}  // namespace scorpio::pio_test

// The linker takes these in place of those of MPI.
#define COUNTED(NAME, PARAMETERS, ARGUMENTS) \
  extern "C" int MPI_##NAME PARAMETERS {     \
    ++counted;                               \
    return PMPI_##NAME ARGUMENTS;            \
  }
COUNTED(Allreduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c))
COUNTED(Iallreduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c, MPI_Request* q),
        (a, b, n, t, o, c, q))
COUNTED(Reduce, (const void* a, void* b, int n, MPI_Datatype t, MPI_Op o, int r, MPI_Comm c),
        (a, b, n, t, o, r, c))
COUNTED(Bcast, (void* b, int n, MPI_Datatype t, int r, MPI_Comm c), (b, n, t, r, c))
COUNTED(Barrier, (MPI_Comm c), (c))
COUNTED(Send, (const void* b, int n, MPI_Datatype t, int r, int g, MPI_Comm c), (b, n, t, r, g, c))
COUNTED(Isend, (const void* b, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Request* q),
        (b, n, t, r, g, c, q))
COUNTED(Recv, (void* b, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Status* s),
        (b, n, t, r, g, c, s))
COUNTED(Irecv, (void* b, int n, MPI_Datatype t, int r, int g, MPI_Comm c, MPI_Request* q),
        (b, n, t, r, g, c, q))
COUNTED(Gather, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, int r, MPI_Comm c),
        (a, n, t, b, m, u, r, c))
COUNTED(Allgather, (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c),
        (a, n, t, b, m, u, c))
COUNTED(Ibcast, (void* b, int n, MPI_Datatype t, int r, MPI_Comm c, MPI_Request* q), (b, n, t, r, c, q))
COUNTED(Ibarrier, (MPI_Comm c, MPI_Request* q), (c, q))
COUNTED(Iallgather,
        (const void* a, int n, MPI_Datatype t, void* b, int m, MPI_Datatype u, MPI_Comm c, MPI_Request* q),
        (a, n, t, b, m, u, c, q))
