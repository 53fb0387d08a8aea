# Libraries of filters that need not be there: those that are found are used, and what is left out is told.
#
#   SCORPIO_CODEC_LIBRARIES   the files of those that were found

set(SCORPIO_CODEC_LIBRARIES "")
include(CheckSymbolExists)
# `newest`: of the functions that are called, the one that came last.
function(scorpio_find_codec name header library newest purpose debian)
  string(TOUPPER ${name} upper)
  find_path(SCORPIO_${upper}_INCLUDE_DIR ${header})
  find_library(SCORPIO_${upper}_LIBRARY ${library})
  mark_as_advanced(SCORPIO_${upper}_INCLUDE_DIR SCORPIO_${upper}_LIBRARY)
  if(NOT SCORPIO_${upper}_INCLUDE_DIR OR NOT SCORPIO_${upper}_LIBRARY)
    message(STATUS "SCORPIO is built without ${name}, which was not found: ${purpose} (Debian package ${debian})")
    return()
  endif()
  set(CMAKE_REQUIRED_INCLUDES ${SCORPIO_${upper}_INCLUDE_DIR})
  set(CMAKE_REQUIRED_LIBRARIES ${SCORPIO_${upper}_LIBRARY} m)
  set(CMAKE_REQUIRED_QUIET TRUE)
  check_symbol_exists(${newest} ${header} SCORPIO_${upper}_HAS_${newest})
  if(NOT SCORPIO_${upper}_HAS_${newest})
    message(STATUS "SCORPIO is built without ${name}: ${SCORPIO_${upper}_LIBRARY} with the header in \
${SCORPIO_${upper}_INCLUDE_DIR} has no function ${newest}, which newer versions have: ${purpose}")
    return()
  endif()
  target_include_directories(scorpio_codec SYSTEM PRIVATE ${SCORPIO_${upper}_INCLUDE_DIR})
  target_compile_definitions(scorpio_codec PRIVATE SCORPIO_HAVE_${upper})
  set(SCORPIO_CODEC_LIBRARIES ${SCORPIO_CODEC_LIBRARIES} ${SCORPIO_${upper}_LIBRARY} PARENT_SCOPE)
endfunction()
scorpio_find_codec(libdeflate libdeflate.h deflate libdeflate_zlib_compress
                   "zlib deflates chunks, in twice the time" libdeflate-dev)
scorpio_find_codec(zstd zstd.h zstd ZSTD_compressCCtx
                   "chunks that passed zstd are read through HDF5's plugins" libzstd-dev)
scorpio_find_codec(zfp zfp.h zfp zfp_stream_set_reversible
                   "chunks that passed zfp are read through HDF5's plugins, and none are written" libzfp-dev)
scorpio_find_codec(blosc blosc.h blosc blosc_cbuffer_validate
                   "chunks that passed blosc are read through HDF5's plugins" libblosc-dev)
