# Functions that register tests. Every test has a timeout, so that a hang is a failure, and reports itself as
# not run with exit code 77 (the mains in tests/support do so when all their cases were skipped).
#
#   scorpio_add_test(NAME n SOURCES a_test.cpp... [LABELS unit] [TIMEOUT 60] [SHARDS k] [ARGS ...])
#       GoogleTest and RapidCheck in one process; sees the inside of the library. SHARDS: its cases are divided among the tests
#       n.1, n.2, ... n.k, which run at the same time.
#   scorpio_add_mpi_test(NAME n SOURCES a_test.cpp... RANKS 1 2 3 [LABELS ...] [TIMEOUT 120] [ARGS ...])
#       The same under mpirun: one test n.npK per number of ranks.
#   scorpio_add_mpi_program(NAME n SOURCES a.c... RANKS ... [LABELS ...] [TIMEOUT 120] [ARGS ...])
#       A plain main() (C or C++) against the public library only; exit code 0 is success.
#   scorpio_add_c_test(NAME n SOURCES a.c... [LABELS ...] [TIMEOUT 60] [ARGS ...])
#       The same, started without mpirun.
#   scorpio_add_script_test(NAME n COMMAND program args... [RANKS k] [LABELS ...] [TIMEOUT 120])
#       Any program; RANKS says how many processes it starts.
#
# Labels: unit (one process, quick, also run under the sanitizers), threads (of those: several threads, see SCORPIO_UNIT_TESTS), sanitized (of those: they take minutes), mpi, npK (K ranks), many (more ranks than
# SCORPIO_TEST_MAX_RANKS), long (minutes), smoke (64 ranks, quick), repeated (with MPICH: what Open MPI's run has),
# timed (subtracts or compares times that it measures).
# `make test` leaves out many, long and repeated.

find_package(GTest QUIET)
scorpio_need(GTest_FOUND "GoogleTest" "the tests (SCORPIO_TESTS=ON)" libgtest-dev "https://google.github.io/googletest")
find_package(rapidcheck QUIET)
scorpio_need(rapidcheck_FOUND "RapidCheck" "the tests (SCORPIO_TESTS=ON)" librapidcheck-dev
             "https://github.com/emil-e/rapidcheck")
scorpio_report_needs()

if(SCORPIO_MPI_KIND STREQUAL "mpich")
  set(max_ranks 4) # MPICH waits busily: with many more ranks than cores a test takes minutes
else()
  set(max_ranks 16)
endif()
set(SCORPIO_TEST_MAX_RANKS ${max_ranks} CACHE STRING "Tests with more ranks get the label many")

add_custom_target(unit_tests)
add_custom_target(mpi_tests) # programs of the tests of the label mpi that `make test` runs
add_custom_target(mpi_long_tests) # of all tests of the label mpi
add_dependencies(mpi_long_tests mpi_tests)

# Sanitized code is several times slower, and so is code that counts what it executes.
set(slowness 1)
if(SCORPIO_SANITIZE)
  set(slowness 4)
endif()
set(SCORPIO_TEST_SLOWNESS ${slowness} CACHE STRING "By this the time that a test may take is multiplied")

# What one thread computes differs with the flags of a compiler only where its behaviour is undefined, and that is what the sanitizers
# look for: their stage of `make test` runs all unit tests, and the optimised one those of several threads, whose order does
# depend on the flags, but for those with the label sanitized. The others are not built there unless they are asked for.
set(SCORPIO_UNIT_TESTS all CACHE STRING "Unit tests that are built with all else: all, or threads (those with this label and without sanitized)")
set_property(CACHE SCORPIO_UNIT_TESTS PROPERTY STRINGS all threads)

# Thread sanitizer needs the plain address layout.
set(SCORPIO_TEST_PREFIX "")
if("thread" IN_LIST SCORPIO_SANITIZE)
  find_program(SCORPIO_SETARCH setarch REQUIRED)
  set(SCORPIO_TEST_PREFIX ${SCORPIO_SETARCH} -R)
endif()

# A folder in memory saves tests of many files more than half of their time. Tests of faults, which end programs at certain
# times, those that compare times (label timed) and those of installations stay in TMPDIR.
set(SCORPIO_TEST_FOLDER "" CACHE PATH "Where tests create their files, if not in TMPDIR")

set(SCORPIO_TEST_ENVIRONMENT
  SCORPIO_SOURCE_DIR=${PROJECT_SOURCE_DIR}
  SCORPIO_BINARY_DIR=${PROJECT_BINARY_DIR}
  SCORPIO_TESTBED=${SCORPIO_TESTBED}
  SCORPIO_DATA=${SCORPIO_DATA}
  SCORPIO_PYTHON=${SCORPIO_PYTHON}
  SCORPIO_MPIRUN=${MPIEXEC_EXECUTABLE}
  SCORPIO_MPI_KIND=${SCORPIO_MPI_KIND}
  # What is freed holds rubbish: a use after it is found, also inside of libraries.
  MALLOC_PERTURB_=165
  # Threads of numpy's linear algebra, which no test needs, wait busily.
  OPENBLAS_NUM_THREADS=1
  # More ranks than cores, also as root and in containers.
  OMPI_ALLOW_RUN_AS_ROOT=1
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_mpi_yield_when_idle=1
  OMPI_MCA_hwloc_base_binding_policy=none
  OMPI_MCA_btl_vader_single_copy_mechanism=none
  # It takes longer to look for networks than most tests take.
  OMPI_MCA_pml=ob1
  PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
  # Long stacks of each allocation, and much freed memory that is kept, cost a fifth of the time.
  ASAN_OPTIONS=detect_leaks=1:abort_on_error=0:malloc_context_size=8:quarantine_size_mb=64:thread_local_quarantine_size_kb=64
  LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/sanitizers/leak.supp:print_suppressions=0
  UBSAN_OPTIONS=print_stacktrace=1
  TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/sanitizers/thread.supp:second_deadlock_stack=1)

# See tests/support/nap_while_waiting.c; a sanitizer must be the first library that is loaded.
if(NOT SCORPIO_SANITIZE)
  list(APPEND SCORPIO_TEST_ENVIRONMENT LD_PRELOAD=${PROJECT_BINARY_DIR}/tests/support/libnap_while_waiting.so)
endif()

# With MPICH a commit's run has three and four ranks of what Open MPI runs on other numbers, too, and not the variants that
# do not depend on MPI.
set(SCORPIO_NOT_REPEATED "\\.np1$|^(api|classic|pio)_.*\\.np2$|^format_toy|^piof_flang"
    "^pio_.*(netcdf4|type[34]|asynchronous)|^pio_matrix|^readers_|^classic_(read_by|killed)|^netcdf4_killed"
    "^storage_faults|^posted_faults|^leftovers|^removals_random|^plan_(command|choice)|^compat2012_undeclared"
    "^api_(large_maps|chunk_regions|unallocated|all_records|user_types|byte_order|found_chunks)\\.np3$"
    # What the formats hold, and what becomes of values
    "^api_(chunks|small_files|filled_puts|structures|packed_puts|attribute_copy|types|clipped|strings|memory_layouts)\\.np3$"
    "^api_(chunk_reads|growing_files|lossy_errors|shared_elements)\\.np3$|^pio_netcdf_ranges|^foreign_random|^classic_random_cases"
    "^close_faults|^job_plan_survey|^bad_arguments_test\\.np4$"
    # What other libraries make of files, and the library of theirs; programs with the static library, but for one
    "^(netcdf4|unlimited)_random|^netcdf4_(netCDF4|h5netcdf|tools)$|^(classic|unlimited)_foreign$|^report_"
    "^install_static_(c|fortran|all_languages)$|^piof_static_installed$")

function(scorpio_test_properties test timeout ranks)
  math(EXPR seconds "${timeout} * ${SCORPIO_TEST_SLOWNESS}")
  math(EXPR launcher_seconds "${seconds} - 5") # mpirun gives up first: it ends its ranks, ctest might not
  # A test of many ranks shares the machine with one of a single process, not with another of many ranks.
  set(processors ${ranks})
  if(processors GREATER 2)
    set(processors 2)
  endif()
  set(labels ${ARGN})
  if(SCORPIO_MPI_KIND STREQUAL "mpich")
    foreach(pattern IN LISTS SCORPIO_NOT_REPEATED) # one by one: CMake's regular expressions have ten groups at most
      if(test MATCHES "${pattern}")
        list(APPEND labels repeated)
        break()
      endif()
    endforeach()
  endif()
  set(folder "")
  if(SCORPIO_TEST_FOLDER AND NOT labels MATCHES "(^|;)(faults|testbed|install|timed)(;|$)")
    set(folder TMPDIR=${SCORPIO_TEST_FOLDER})
  endif()
  # Those that may take long begin first, so that none of them runs alone at the end.
  set_tests_properties(${test} PROPERTIES TIMEOUT ${seconds} PROCESSORS ${processors} SKIP_RETURN_CODE 77 COST ${timeout}
    LABELS "${labels}" ENVIRONMENT "${SCORPIO_TEST_ENVIRONMENT};MPIEXEC_TIMEOUT=${launcher_seconds};${folder}")
endfunction()

# A test of one process that starts MPI: what MPI keeps until the end is no leak, and cannot be told from others by
# name, because MPI has unloaded its components when leaks are looked for.
function(scorpio_test_starts_mpi test)
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0:abort_on_error=0:malloc_context_size=8)
endfunction()

macro(scorpio_parse_test kind default_timeout)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;TIMEOUT;SHARDS" "SOURCES;RANKS;LABELS;ARGS;COMMAND")
  if(NOT arg_NAME OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${kind}: NAME is missing, or these are not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT ${default_timeout})
  endif()
endmacro()

# Numbers of ranks that take long, of tests that other numbers of ranks repeat: the short run leaves them out.
set(SCORPIO_LONG_RANKS "^(api_(structures|decompositions|files|memory_layouts|shared_staging|chunk_regions)|comm|foreign_random)\\.np8$"
    "^api_posted_close\\.np7$"
    "^api_random_program\\.np16$" "^(format_toy|api_(records|chunks))\\.np2$" "^api_(other_calls|large_maps)\\.np3$"
    "^api_large_maps\\.np1$" "^(format_toy|api_(structures|chunks|random_program|records|all_records|found_chunks|unallocated))\\.np5$"
    "^api_(random_program|other_calls)\\.np2$" "^api_(records|chunks|random_program|structures)\\.np3$" "^comm\\.np[23]$")
list(JOIN SCORPIO_LONG_RANKS "|" SCORPIO_LONG_RANKS)

# Whether the short run leaves it to the long one. MPICH (preset mpich-clang) runs all on 2 to 4 ranks. With Open MPI the numbers
# between the smallest and the largest are left out, and for the public interface 2 and 3 ranks where it has 5.
function(scorpio_is_long name ranks all_ranks result)
  set(long OFF)
  if(SCORPIO_MPI_KIND STREQUAL "openmpi")
    list(GET all_ranks 0 fewest)
    list(GET all_ranks -1 most)
    if("${name}.np${ranks}" MATCHES "${SCORPIO_LONG_RANKS}")
      set(long ON)
    elseif(ranks GREATER fewest AND ranks LESS most AND most LESS_EQUAL SCORPIO_TEST_MAX_RANKS)
      set(long ON)
    elseif(name MATCHES "^api_" AND ranks MATCHES "^[23]$" AND "5" IN_LIST all_ranks
           AND NOT "${name}.np5" MATCHES "${SCORPIO_LONG_RANKS}")
      set(long ON)
    endif()
  endif()
  set(${result} ${long} PARENT_SCOPE)
endfunction()

# scorpio_built_for(program test...): the program is built with the tests that `make test` runs if it is one of them.
function(scorpio_built_for program)
  set(goal mpi_long_tests)
  foreach(test IN LISTS ARGN)
    get_property(labels TEST ${test} PROPERTY LABELS)
    if(NOT labels MATCHES "(^|;)(many|long|repeated)(;|$)")
      set(goal mpi_tests)
    endif()
  endforeach()
  add_dependencies(${goal} ${program})
endfunction()

# The tests arg_NAME.npK of the executable arg_NAME.
function(scorpio_register_ranks)
  if(NOT arg_RANKS)
    message(FATAL_ERROR "${arg_NAME}: say with how many ranks it runs (RANKS 1 2 3 ...).")
  endif()
  set(tests "")
  foreach(ranks IN LISTS arg_RANKS)
    set(labels mpi np${ranks} ${arg_LABELS})
    if(ranks GREATER SCORPIO_TEST_MAX_RANKS AND NOT "smoke" IN_LIST arg_LABELS)
      list(APPEND labels many)
    endif()
    set(test ${arg_NAME}.np${ranks})
    scorpio_is_long(${arg_NAME} ${ranks} "${arg_RANKS}" is_long)
    if(is_long)
      list(APPEND labels long)
    endif()
    add_test(NAME ${test} COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} ${MPIEXEC_PREFLAGS}
                                  ${SCORPIO_TEST_PREFIX} $<TARGET_FILE:${arg_NAME}> ${arg_ARGS})
    scorpio_test_properties(${test} ${arg_TIMEOUT} ${ranks} ${labels})
    list(APPEND tests ${test})
  endforeach()
  scorpio_built_for(${arg_NAME} ${tests})
endfunction()

function(scorpio_add_internal_executable name main)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${main} scorpio_internal rapidcheck GTest::gtest)
  scorpio_use_precompiled(${name} scorpio_test_headers)
  list(LENGTH ARGN sources)
  if(sources GREATER 1)
    scorpio_compile_together(${name} 6)
  endif()
endfunction()

function(scorpio_add_public_executable name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE scorpio scorpio_flags m)
endfunction()

function(scorpio_add_test)
  scorpio_parse_test(scorpio_add_test 60)
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  scorpio_add_internal_executable(${arg_NAME} scorpio_unit_main ${arg_SOURCES})
  if("unit" IN_LIST arg_LABELS)
    add_dependencies(unit_tests ${arg_NAME})
  endif()
  if(SCORPIO_UNIT_TESTS STREQUAL "threads" AND "unit" IN_LIST arg_LABELS
     AND (NOT "threads" IN_LIST arg_LABELS OR "sanitized" IN_LIST arg_LABELS))
    set_target_properties(${arg_NAME} PROPERTIES EXCLUDE_FROM_ALL ON)
    list(APPEND arg_LABELS long)
  endif()
  if(NOT arg_SHARDS)
    set(arg_SHARDS 1)
  endif()
  foreach(shard RANGE 1 ${arg_SHARDS})
    set(test ${arg_NAME})
    if(arg_SHARDS GREATER 1)
      string(APPEND test .${shard})
    endif()
    add_test(NAME ${test} COMMAND ${SCORPIO_TEST_PREFIX} $<TARGET_FILE:${arg_NAME}> ${arg_ARGS})
    scorpio_test_properties(${test} ${arg_TIMEOUT} 1 ${arg_LABELS})
    math(EXPR index "${shard} - 1")
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT GTEST_TOTAL_SHARDS=${arg_SHARDS} GTEST_SHARD_INDEX=${index})
  endforeach()
endfunction()

function(scorpio_add_mpi_test)
  scorpio_parse_test(scorpio_add_mpi_test 120)
  scorpio_add_internal_executable(${arg_NAME} scorpio_mpi_main ${arg_SOURCES})
  scorpio_register_ranks()
endfunction()

function(scorpio_add_mpi_program)
  scorpio_parse_test(scorpio_add_mpi_program 120)
  scorpio_add_public_executable(${arg_NAME} ${arg_SOURCES})
  scorpio_register_ranks()
endfunction()

function(scorpio_add_c_test)
  scorpio_parse_test(scorpio_add_c_test 60)
  scorpio_add_public_executable(${arg_NAME} ${arg_SOURCES})
  add_test(NAME ${arg_NAME} COMMAND ${SCORPIO_TEST_PREFIX} $<TARGET_FILE:${arg_NAME}> ${arg_ARGS})
  scorpio_test_properties(${arg_NAME} ${arg_TIMEOUT} 1 ${arg_LABELS})
endfunction()

function(scorpio_add_script_test)
  scorpio_parse_test(scorpio_add_script_test 120)
  if(NOT arg_RANKS)
    set(arg_RANKS 1)
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND})
  scorpio_test_properties(${arg_NAME} ${arg_TIMEOUT} ${arg_RANKS} ${arg_LABELS})
endfunction()
