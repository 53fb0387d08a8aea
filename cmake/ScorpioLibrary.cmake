# The library: one OBJECT library per folder of src/, all of them in
#   scorpio           the library with the public C functions, shared unless BUILD_SHARED_LIBS is off, and
#   scorpio_internal  the same objects with every symbol, for tests: an archive, or a shared library; never installed.

find_package(fmt QUIET)
scorpio_need(fmt_FOUND "fmt" "messages" libfmt-dev "https://fmt.dev")
find_package(nlohmann_json QUIET)
scorpio_need(nlohmann_json_FOUND "nlohmann_json" "configuration files" nlohmann-json3-dev "https://json.nlohmann.me")
find_package(Threads QUIET)
scorpio_need(Threads_FOUND "threads" "the writing of data while the program goes on" libc6-dev "the C library brings them")
find_path(SCORPIO_UTF8PROC_INCLUDE_DIR utf8proc.h)
find_library(SCORPIO_UTF8PROC_LIBRARY utf8proc)
mark_as_advanced(SCORPIO_UTF8PROC_INCLUDE_DIR SCORPIO_UTF8PROC_LIBRARY)
set(utf8proc_FOUND FALSE)
if(SCORPIO_UTF8PROC_INCLUDE_DIR AND SCORPIO_UTF8PROC_LIBRARY)
  set(utf8proc_FOUND TRUE)
endif()
scorpio_need(utf8proc_FOUND "utf8proc" "names in classic netCDF files" libutf8proc-dev
             "https://juliastrings.github.io/utf8proc")
find_package(ZLIB QUIET)
scorpio_need(ZLIB_FOUND "zlib" "compressed chunks" zlib1g-dev "https://zlib.net")
scorpio_report_needs()
find_library(SCORPIO_RT_LIBRARY rt)
mark_as_advanced(SCORPIO_RT_LIBRARY)

# The folders of src/, in layer order; dev/check-layers holds the includes to it.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/layers.txt)
file(READ ${PROJECT_SOURCE_DIR}/cmake/layers.txt layers)
string(REGEX MATCHALL "[a-z0-9_]+" SCORPIO_FOLDERS "${layers}")

# What all of it is compiled against; the two libraries and every test get the same.
add_library(scorpio_uses INTERFACE)
target_include_directories(scorpio_uses INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(scorpio_uses INTERFACE scorpio_flags MPI::MPI_C fmt::fmt nlohmann_json::nlohmann_json
                      Threads::Threads $<$<BOOL:${SCORPIO_RT_LIBRARY}>:rt>)

# Some hundred tests contain scorpio_internal. Without optimisation it is large, and they take minutes to be linked with an archive;
# a shared library is linked once. Not with the address sanitizer, which refuses programs that replace a part of it by their own.
option(SCORPIO_SHARED_INTERNAL "Tests share scorpio_internal, whose symbols are all visible, instead of each containing it" OFF)
mark_as_advanced(SCORPIO_SHARED_INTERNAL)

# What the objects of the library have in common.
function(scorpio_library_objects target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  if(NOT SCORPIO_SHARED_INTERNAL)
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
endfunction()
scorpio_make_precompiled(scorpio_library_headers USES scorpio_uses HEADERS ${SCORPIO_STANDARD_HEADERS})
if(SCORPIO_PRECOMPILED)
  scorpio_library_objects(scorpio_library_headers)
endif()

# Tests link other definitions of what these contain, which replace them: the meeting of a node over the memory of a
# simulated one, and a list with formats of their own.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/comm/node_meeting.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set(formats ${PROJECT_SOURCE_DIR}/src/format/all_formats.cpp)
add_library(scorpio_all_formats OBJECT ${formats})
target_link_libraries(scorpio_all_formats PRIVATE scorpio_uses)
scorpio_library_objects(scorpio_all_formats)

set(objects "")
foreach(folder IN LISTS SCORPIO_FOLDERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp)
  list(REMOVE_ITEM sources ${formats})
  if(sources)
    add_library(scorpio_${folder} OBJECT ${sources})
    target_link_libraries(scorpio_${folder} PRIVATE scorpio_uses)
    scorpio_library_objects(scorpio_${folder})
    scorpio_use_precompiled(scorpio_${folder} scorpio_library_headers)
    scorpio_compile_together(scorpio_${folder} 0)
    list(APPEND objects $<TARGET_OBJECTS:scorpio_${folder}>)
  endif()
endforeach()
# Only the format folder sees the headers of what formats need.
add_library(scorpio_utf8proc INTERFACE)
target_include_directories(scorpio_utf8proc SYSTEM INTERFACE ${SCORPIO_UTF8PROC_INCLUDE_DIR})
target_link_libraries(scorpio_utf8proc INTERFACE ${SCORPIO_UTF8PROC_LIBRARY})
target_link_libraries(scorpio_format PRIVATE scorpio::hdf5 scorpio_utf8proc)
target_link_libraries(scorpio_codec PRIVATE ZLIB::ZLIB)
include(cmake/ScorpioCodecs.cmake)
set(SCORPIO_FORMAT_LIBRARIES scorpio_hdf5 scorpio_utf8proc ZLIB::ZLIB ${SCORPIO_CODEC_LIBRARIES})

# Libraries over the public interface that are part of libscorpio for the sake of its name.
set(SCORPIO_COMPAT_OBJECTS "")
add_subdirectory(${PROJECT_SOURCE_DIR}/compat/scorpio2012)

add_library(scorpio ${objects} $<TARGET_OBJECTS:scorpio_all_formats> ${SCORPIO_COMPAT_OBJECTS})
add_library(scorpio::scorpio ALIAS scorpio)
target_include_directories(scorpio PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                          $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(scorpio
  PUBLIC $<BUILD_INTERFACE:MPI::MPI_C> $<INSTALL_INTERFACE:scorpio::mpi>
  PRIVATE $<BUILD_INTERFACE:scorpio_uses> $<BUILD_INTERFACE:${SCORPIO_FORMAT_LIBRARIES}>)
set_target_properties(scorpio PROPERTIES LINKER_LANGUAGE CXX)
if(BUILD_SHARED_LIBS)
  set_target_properties(scorpio PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0
                        LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/libscorpio.map)
  target_link_options(scorpio PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/libscorpio.map)
  if(NOT SCORPIO_SANITIZE)
    target_link_options(scorpio PRIVATE -Wl,-z,defs)
  endif()
else()
  # Clients of the installed archive link what it needs; the package finds it.
  target_link_libraries(scorpio INTERFACE $<INSTALL_INTERFACE:scorpio::static_dependencies>)
endif()

if(SCORPIO_SHARED_INTERNAL)
  # Calls within the library are direct, as in an archive; the list of formats is the program's.
  add_library(scorpio_internal_formats STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:scorpio_all_formats>)
  set_target_properties(scorpio_internal_formats PROPERTIES LINKER_LANGUAGE CXX)
  add_library(scorpio_internal SHARED EXCLUDE_FROM_ALL ${objects})
  target_link_options(scorpio_internal PRIVATE -Wl,-Bsymbolic-functions)
  target_link_libraries(scorpio_internal INTERFACE scorpio_internal_formats)
else()
  add_library(scorpio_internal STATIC EXCLUDE_FROM_ALL ${objects} $<TARGET_OBJECTS:scorpio_all_formats>)
endif()
target_link_libraries(scorpio_internal PUBLIC scorpio_uses ${SCORPIO_FORMAT_LIBRARIES})
set_target_properties(scorpio_internal PROPERTIES LINKER_LANGUAGE CXX)
