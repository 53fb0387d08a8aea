# What a build can choose, and the compile flags that follow from it.

# Both need more packages than the library: on in the presets of developers.
option(SCORPIO_TESTS "Build the tests and the examples" OFF)
option(SCORPIO_BENCH "Build the benchmarks and the demonstration" OFF)
# By add_subdirectory(), what other parts of the project are is not changed.
if(PROJECT_IS_TOP_LEVEL)
  option(BUILD_SHARED_LIBS "Build a shared library, else a static one" ON)
elseif(NOT DEFINED BUILD_SHARED_LIBS)
  set(BUILD_SHARED_LIBS ON)
endif()
option(SCORPIO_WERROR "Warnings are errors" OFF)
set(SCORPIO_SANITIZE "" CACHE STRING "Sanitizers: empty, address;undefined or thread")

# Files that are not in the repository. Tests that need one report themselves as not run where it is missing.
cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH beside)
foreach(name IN ITEMS TESTBED DATA)
  string(TOLOWER ${name} folder)
  set(default "$ENV{SCORPIO_${name}}")
  if(NOT default)
    set(default "${beside}/shared/${folder}")
  endif()
  set(SCORPIO_${name} "${default}" CACHE PATH "Folder of the ${folder}, used by tests where it exists")
endforeach()
set(SCORPIO_PYTHON "${CMAKE_CURRENT_SOURCE_DIR}/build/venv/bin/python3" CACHE FILEPATH
    "Python with the packages of packaging/python-packages.txt, for tests that read files with h5py")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  else()
    set(CMAKE_BUILD_TYPE Release)
  endif()
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Flags of every target of this project; in a target, so that projects that link the library do not get them.
add_library(scorpio_flags INTERFACE)
target_compile_features(scorpio_flags INTERFACE c_std_11 cxx_std_20)
target_compile_options(scorpio_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow
  $<$<BOOL:${SCORPIO_WERROR}>:-Werror> $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety>)
# The C++ bindings of MPI were removed from the standard; their headers would only add symbols.
target_compile_definitions(scorpio_flags INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)

if(SCORPIO_SANITIZE)
  list(JOIN SCORPIO_SANITIZE "," sanitizers)
  add_compile_options(-fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # GCC's manual: with sanitizers this warning has many false positives.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  add_link_options(-fsanitize=${sanitizers})
  # Programs in C link the library, which is in C++.
  add_link_options("$<$<LINK_LANG_AND_ID:C,Clang>:SHELL:-fsanitize-link-c++-runtime -lstdc++>")
endif()
