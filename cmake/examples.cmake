# The examples as a project of their own, against an installed library:
#   cmake -S . -B build -DCMAKE_PREFIX_PATH=folder && cmake --build build
# Installed as the CMakeLists.txt of the examples. The programs of with_*.c and peers/ use other libraries, and are
# not built.
cmake_minimum_required(VERSION 3.20)
project(scorpio_examples LANGUAGES C)
# The Fortran modules are installed only if SCORPIO was built with a Fortran compiler.
include(CheckLanguage)
check_language(Fortran)
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
endif()
find_package(SCORPIO REQUIRED COMPONENTS pioc OPTIONAL_COMPONENTS piof)

foreach(name IN ITEMS write_read tutorial tutorial_requests tutorial_map time_steps heat ocean convert from_pnetcdf
        from_parallel_hdf5)
  add_executable(${name} ${name}.c)
  target_link_libraries(${name} PRIVATE scorpio::scorpio)
endforeach()
target_link_libraries(ocean PRIVATE m)
add_executable(pio_model pio_model.c)
target_link_libraries(pio_model PRIVATE scorpio::pioc)
if(CMAKE_Fortran_COMPILER AND TARGET scorpio::piof)
  add_executable(pio_history pio_history.F90)
  target_link_libraries(pio_history PRIVATE scorpio::piof)
endif()
