# Precompiled headers, which save two fifths of the time of a build from nothing: of the standard library, fmt and
# MPI for the library, and of the test frameworks as well for the tests. Off where every file must show that it includes
# what it uses: in builds of users, with clang and under the thread sanitizer.
#
#   scorpio_make_precompiled(name USES targets... HEADERS <a>...)   the headers, compiled with the flags of `targets`
#   scorpio_use_precompiled(target name)                            does nothing where they are off
option(SCORPIO_PRECOMPILED "Precompile the headers of the standard library and of the test frameworks" OFF)

set(SCORPIO_STANDARD_HEADERS <algorithm> <array> <atomic> <bit> <bitset> <charconv> <chrono> <cmath> <condition_variable>
  <cstdint> <cstring> <deque> <filesystem> <functional> <limits> <list> <map> <memory> <mutex> <numeric> <optional>
  <random> <set> <span> <sstream> <string> <string_view> <thread> <tuple> <unordered_map> <unordered_set> <utility>
  <vector> <fmt/format.h> <fmt/ranges.h> <mpi.h>)

function(scorpio_make_precompiled name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES;HEADERS")
  if(SCORPIO_PRECOMPILED)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
    add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE ${arg_USES})
    target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  endif()
endfunction()

function(scorpio_use_precompiled target name)
  if(SCORPIO_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
