# MPI_Fortran_FOUND: there is a Fortran compiler with the MPI that the library is built with.
if(CMAKE_Fortran_COMPILER)
  if(SCORPIO_MPI MATCHES "^(openmpi|mpich)$")
    find_program(MPI_Fortran_COMPILER NAMES mpif90.${SCORPIO_MPI})
  endif()
  find_package(MPI QUIET COMPONENTS Fortran)
endif()
if(NOT MPI_Fortran_FOUND)
  message(WARNING "No Fortran compiler with this MPI (Debian: gfortran): the Fortran programs are not built, their tests "
                  "not run.")
endif()
