# Finds HDF5 and makes scorpio::hdf5 of it, a target that nobody outside the build sees.
#
# A process must hold one HDF5 library only. Programs that use parallel HDF5 beside SCORPIO bring the build for
# their MPI, so that build is taken where it exists; SCORPIO itself calls nothing that only it has.

set(SCORPIO_HDF5_MINIMUM 1.10.8)
add_library(scorpio_hdf5 INTERFACE)
add_library(scorpio::hdf5 ALIAS scorpio_hdf5)

if(SCORPIO_MPI STREQUAL "system" OR HDF5_ROOT OR HDF5_DIR)
  set(HDF5_PREFER_PARALLEL ON)
  find_package(HDF5 ${SCORPIO_HDF5_MINIMUM} REQUIRED COMPONENTS C)
  target_link_libraries(scorpio_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
  target_include_directories(scorpio_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  set(SCORPIO_HDF5_FOUND "${HDF5_VERSION} (${HDF5_C_LIBRARIES})")
else()
  # Debian names its builds hdf5-openmpi, hdf5-mpich and hdf5-serial.
  find_package(PkgConfig REQUIRED)
  set(build ${SCORPIO_MPI})
  pkg_check_modules(HDF5_${build} hdf5-${build}>=${SCORPIO_HDF5_MINIMUM})
  if(NOT HDF5_${build}_FOUND)
    set(build serial)
    pkg_check_modules(HDF5_${build} hdf5-${build}>=${SCORPIO_HDF5_MINIMUM})
  endif()
  if(NOT HDF5_${build}_FOUND)
    message(FATAL_ERROR "No HDF5 >= ${SCORPIO_HDF5_MINIMUM} for ${SCORPIO_MPI}: install "
                        "libhdf5-${SCORPIO_MPI}-dev, or give -DHDF5_ROOT=folder.")
  endif()
  target_include_directories(scorpio_hdf5 SYSTEM INTERFACE ${HDF5_${build}_INCLUDE_DIRS})
  # By its own name: the folder it is found in holds a link, so no run path to it is wanted.
  find_library(SCORPIO_HDF5_LIBRARY NAMES hdf5 PATHS ${HDF5_${build}_LIBRARY_DIRS} NO_DEFAULT_PATH)
  file(REAL_PATH "${SCORPIO_HDF5_LIBRARY}" hdf5_library)
  target_link_libraries(scorpio_hdf5 INTERFACE ${hdf5_library})
  set(SCORPIO_HDF5_FOUND "${HDF5_${build}_VERSION} (${build}: ${hdf5_library})")
endif()
target_link_libraries(scorpio_hdf5 INTERFACE MPI::MPI_C)
message(STATUS "SCORPIO uses HDF5 ${SCORPIO_HDF5_FOUND}")
