// As main.c.
#include <mpi.h>
#include <cstdio>

#include "part.h"

int main(int argc, char** argv) {
  int failures = 0;
  MPI_Init(&argc, &argv);
#ifdef WITH_C
  failures += part_c(argv[1]);
#endif
#ifdef WITH_CXX
  failures += part_cxx(argv[1]);
#endif
#ifdef WITH_Fortran
  failures += part_fortran(argv[1]);
#endif
  MPI_Finalize();
  if (failures != 0) std::fprintf(stderr, "failures: %d\n", failures);
  return failures != 0;
}
