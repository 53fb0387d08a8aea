# Finds HDF5 and makes scorpio::hdf5 of it, a target that is not exported.
#
# A process must hold one HDF5 library only. Programs that use parallel HDF5 beside SCORPIO bring the build for
# their MPI, so that build is taken where it exists; SCORPIO itself calls nothing that only it has.

set(SCORPIO_HDF5_MINIMUM 1.10.8)
add_library(scorpio_hdf5 INTERFACE)
add_library(scorpio::hdf5 ALIAS scorpio_hdf5)
target_link_libraries(scorpio_hdf5 INTERFACE MPI::MPI_C)

if(SCORPIO_MPI STREQUAL "system" OR HDF5_ROOT OR HDF5_DIR)
  set(HDF5_PREFER_PARALLEL ON)
  find_package(HDF5 ${SCORPIO_HDF5_MINIMUM} QUIET COMPONENTS C)
  scorpio_need(HDF5_FOUND "HDF5 >= ${SCORPIO_HDF5_MINIMUM} for C" "HDF5 files"
               "libhdf5-openmpi-dev or libhdf5-mpich-dev" "-DHDF5_ROOT=folder names it")
  if(NOT HDF5_FOUND)
    return()
  endif()
  target_link_libraries(scorpio_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
  target_include_directories(scorpio_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
  set(SCORPIO_HDF5_FOUND "${HDF5_VERSION} (${HDF5_C_LIBRARIES})")
else()
  # Debian names its builds hdf5-openmpi, hdf5-mpich and hdf5-serial.
  find_package(PkgConfig QUIET)
  scorpio_need(PKG_CONFIG_FOUND "pkg-config" "finding Debian's HDF5" "pkg-config" "-DHDF5_ROOT=folder needs none")
  if(NOT PKG_CONFIG_FOUND)
    return()
  endif()
  set(build ${SCORPIO_MPI})
  pkg_check_modules(HDF5_${build} QUIET hdf5-${build}>=${SCORPIO_HDF5_MINIMUM})
  if(NOT HDF5_${build}_FOUND)
    set(build serial)
    pkg_check_modules(HDF5_${build} QUIET hdf5-${build}>=${SCORPIO_HDF5_MINIMUM})
  endif()
  scorpio_need(HDF5_${build}_FOUND "HDF5 >= ${SCORPIO_HDF5_MINIMUM}" "HDF5 files" "libhdf5-${SCORPIO_MPI}-dev"
               "-DHDF5_ROOT=folder names it")
  if(NOT HDF5_${build}_FOUND)
    return()
  endif()
  target_include_directories(scorpio_hdf5 SYSTEM INTERFACE ${HDF5_${build}_INCLUDE_DIRS})
  # By its own name: the folder it is found in holds a link, so no run path to it is wanted.
  find_library(SCORPIO_HDF5_LIBRARY NAMES hdf5 PATHS ${HDF5_${build}_LIBRARY_DIRS} NO_DEFAULT_PATH)
  file(REAL_PATH "${SCORPIO_HDF5_LIBRARY}" hdf5_library)
  target_link_libraries(scorpio_hdf5 INTERFACE ${hdf5_library})
  set(SCORPIO_HDF5_FOUND "${HDF5_${build}_VERSION} (${build}: ${hdf5_library})")
endif()
message(STATUS "SCORPIO uses HDF5 ${SCORPIO_HDF5_FOUND}")
