# Finds MPI. Debian can hold Open MPI and MPICH side by side, told apart by the suffix of their wrappers;
# SCORPIO_MPI picks one, or leaves the choice to CMake's FindMPI.

set(SCORPIO_MPI system CACHE STRING "MPI to build with: openmpi, mpich (Debian's), or system")
set_property(CACHE SCORPIO_MPI PROPERTY STRINGS openmpi mpich system)

if(SCORPIO_MPI MATCHES "^(openmpi|mpich)$")
  find_program(MPI_C_COMPILER NAMES mpicc.${SCORPIO_MPI} REQUIRED)
  find_program(MPIEXEC_EXECUTABLE NAMES mpirun.${SCORPIO_MPI} REQUIRED)
elseif(NOT SCORPIO_MPI STREQUAL "system")
  message(FATAL_ERROR "SCORPIO_MPI is \"${SCORPIO_MPI}\"; it can be openmpi, mpich or system.")
endif()

# Only the C interface: C++ code calls it too.
find_package(MPI REQUIRED COMPONENTS C)

# Which MPI it really is decides how tests are started.
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpi_launcher ERROR_QUIET)
if(mpi_launcher MATCHES "Open MPI|OpenRTE|PRTE|prte")
  set(SCORPIO_MPI_KIND openmpi)
else()
  set(SCORPIO_MPI_KIND mpich)
endif()
message(STATUS "SCORPIO uses MPI ${MPI_C_VERSION} (${SCORPIO_MPI_KIND}): ${MPI_C_COMPILER}")
