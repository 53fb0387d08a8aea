# Finds MPI. Debian can hold Open MPI and MPICH side by side, told apart by the suffix of their wrappers;
# SCORPIO_MPI picks one, or leaves the choice to CMake's FindMPI.

set(SCORPIO_MPI system CACHE STRING "MPI to build with: openmpi, mpich (Debian's), or system")
set_property(CACHE SCORPIO_MPI PROPERTY STRINGS openmpi mpich system)

if(SCORPIO_MPI MATCHES "^(openmpi|mpich)$")
  find_program(MPI_C_COMPILER NAMES mpicc.${SCORPIO_MPI})
  find_program(MPIEXEC_EXECUTABLE NAMES mpirun.${SCORPIO_MPI})
elseif(NOT SCORPIO_MPI STREQUAL "system")
  message(FATAL_ERROR "SCORPIO_MPI is \"${SCORPIO_MPI}\"; it can be openmpi, mpich or system.")
endif()

# Only the C interface: C++ code calls it too.
set(scorpio_mpi_package lib${SCORPIO_MPI}-dev)
set(scorpio_mpi_hint "-DMPI_C_COMPILER=folder/mpicc names it, -DSCORPIO_MPI=system takes any")
if(SCORPIO_MPI STREQUAL "system")
  set(scorpio_mpi_package "libopenmpi-dev or libmpich-dev")
  set(scorpio_mpi_hint "-DMPI_C_COMPILER=folder/mpicc names it")
endif()
if(NOT SCORPIO_MPI STREQUAL "system" AND NOT MPI_C_COMPILER)
  set(MPI_C_FOUND FALSE)
else()
  find_package(MPI QUIET COMPONENTS C)
endif()
scorpio_need(MPI_C_FOUND "MPI (${SCORPIO_MPI})" "all communication" "${scorpio_mpi_package}" "${scorpio_mpi_hint}")
if(NOT MPI_C_FOUND)
  return() # told with the other needs
endif()

# Which MPI it really is decides how tests are started.
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpi_launcher ERROR_QUIET)
if(mpi_launcher MATCHES "Open MPI|OpenRTE|PRTE|prte")
  set(SCORPIO_MPI_KIND openmpi)
else()
  set(SCORPIO_MPI_KIND mpich)
endif()
message(STATUS "SCORPIO uses MPI ${MPI_C_VERSION} (${SCORPIO_MPI_KIND}): ${MPI_C_COMPILER}")

# The wrappers of the same MPI for other languages, which projects that use an installation may need: those beside
# the C wrapper with the same prefix and suffix. Empty where the C compiler needs no wrapper, or there is none.
function(scorpio_mpi_wrapper variable)
  set(${variable} "" PARENT_SCOPE)
  cmake_path(GET MPI_C_COMPILER PARENT_PATH folder)
  cmake_path(GET MPI_C_COMPILER FILENAME name)
  foreach(part IN LISTS ARGN)
    string(REGEX REPLACE "^mpi(i?)(cc|cx|gcc)" "mpi\\1${part}" other "${name}")
    if(NOT other STREQUAL name AND EXISTS "${folder}/${other}")
      set(${variable} "${folder}/${other}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
scorpio_mpi_wrapper(SCORPIO_MPICXX cxx c++ cpc cpx gxx CC)
scorpio_mpi_wrapper(SCORPIO_MPIFORT fort f90 fx)

# Open MPI or MPICH (and what shares its ABI), as the header says; a program must be built with the same.
set(SCORPIO_MPI_HEADER_KIND "")
foreach(folder IN LISTS MPI_C_INCLUDE_DIRS)
  if(EXISTS "${folder}/mpi.h" AND NOT SCORPIO_MPI_HEADER_KIND)
    file(STRINGS "${folder}/mpi.h" found REGEX "^#[ \t]*define[ \t]+(OPEN_MPI|MPICH_VERSION)[ \t]" LIMIT_COUNT 1)
    if(found MATCHES "OPEN_MPI")
      set(SCORPIO_MPI_HEADER_KIND "Open MPI")
    elseif(found)
      set(SCORPIO_MPI_HEADER_KIND "MPICH")
    endif()
  endif()
endforeach()
if(NOT SCORPIO_MPI_HEADER_KIND) # a compiler that finds the header itself, as the wrappers and Cray's cc
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
  set(CMAKE_REQUIRED_QUIET TRUE)
  foreach(kind IN ITEMS OPEN_MPI MPICH_VERSION)
    check_c_source_compiles("#include <mpi.h>\n#ifndef ${kind}\n#error another\n#endif\nint main(void) { return 0; }"
                            SCORPIO_COMPILES_WITH_${kind})
  endforeach()
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_QUIET)
  if(SCORPIO_COMPILES_WITH_OPEN_MPI)
    set(SCORPIO_MPI_HEADER_KIND "Open MPI")
  elseif(SCORPIO_COMPILES_WITH_MPICH_VERSION)
    set(SCORPIO_MPI_HEADER_KIND "MPICH")
  endif()
endif()
