# The PnetCDF that benchmarks, demonstration and examples compare with: target bench_pnetcdf, and its version in the cache as
# SCORPIO_BENCH_PNETCDF_VERSION, for the tables. PNETCDF_PREFIX (in the cache or the environment) names an
# installation of it; without, Debian's is taken, which is of Open MPI.
include_guard(GLOBAL)

set(PNETCDF_PREFIX "$ENV{PNETCDF_PREFIX}" CACHE PATH "Installation of PnetCDF to compare with, for this MPI library")
set(SCORPIO_BENCH_PNETCDF_VERSION "" CACHE INTERNAL "")
unset(BENCH_PNETCDF_INCLUDE_DIR CACHE)
unset(BENCH_PNETCDF_LIBRARY CACHE)
if(PNETCDF_PREFIX)
  find_path(BENCH_PNETCDF_INCLUDE_DIR pnetcdf.h PATHS ${PNETCDF_PREFIX}/include NO_DEFAULT_PATH)
  find_library(BENCH_PNETCDF_LIBRARY pnetcdf PATHS ${PNETCDF_PREFIX}/lib ${PNETCDF_PREFIX}/lib64 NO_DEFAULT_PATH)
  if(NOT BENCH_PNETCDF_INCLUDE_DIR OR NOT BENCH_PNETCDF_LIBRARY)
    message(FATAL_ERROR "PNETCDF_PREFIX is ${PNETCDF_PREFIX}, but include/pnetcdf.h or lib/libpnetcdf is not there: "
                        "give the prefix that PnetCDF was installed with, or -DPNETCDF_PREFIX= for Debian's.")
  endif()
elseif(SCORPIO_MPI_KIND STREQUAL openmpi)
  find_path(BENCH_PNETCDF_INCLUDE_DIR pnetcdf.h)
  find_library(BENCH_PNETCDF_LIBRARY pnetcdf)
endif()
if(BENCH_PNETCDF_INCLUDE_DIR AND BENCH_PNETCDF_LIBRARY)
  file(STRINGS ${BENCH_PNETCDF_INCLUDE_DIR}/pnetcdf.h version REGEX "^#define PNETCDF_VERSION[ \t]+\"")
  string(REGEX REPLACE ".*\"([0-9.a-z-]*)\".*" "\\1" version "${version}")
  set(SCORPIO_BENCH_PNETCDF_VERSION "${version}" CACHE INTERNAL "")
  add_library(bench_pnetcdf INTERFACE)
  target_include_directories(bench_pnetcdf SYSTEM INTERFACE ${BENCH_PNETCDF_INCLUDE_DIR})
  target_link_libraries(bench_pnetcdf INTERFACE ${BENCH_PNETCDF_LIBRARY})
  message(STATUS "PnetCDF ${version} (${BENCH_PNETCDF_LIBRARY})")
endif()
