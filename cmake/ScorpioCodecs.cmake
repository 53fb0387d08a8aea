# Libraries of filters that need not be there: those that are found are used, and what is left out is told.
#
#   SCORPIO_CODEC_LIBRARIES   the files of those that were found

set(SCORPIO_CODEC_LIBRARIES "")
function(scorpio_find_codec name header library purpose debian)
  string(TOUPPER ${name} upper)
  find_path(SCORPIO_${upper}_INCLUDE_DIR ${header})
  find_library(SCORPIO_${upper}_LIBRARY ${library})
  mark_as_advanced(SCORPIO_${upper}_INCLUDE_DIR SCORPIO_${upper}_LIBRARY)
  if(NOT SCORPIO_${upper}_INCLUDE_DIR OR NOT SCORPIO_${upper}_LIBRARY)
    message(STATUS "SCORPIO is built without ${name}, which was not found: ${purpose} (Debian package ${debian})")
    return()
  endif()
  target_include_directories(scorpio_codec SYSTEM PRIVATE ${SCORPIO_${upper}_INCLUDE_DIR})
  target_compile_definitions(scorpio_codec PRIVATE SCORPIO_HAVE_${upper})
  set(SCORPIO_CODEC_LIBRARIES ${SCORPIO_CODEC_LIBRARIES} ${SCORPIO_${upper}_LIBRARY} PARENT_SCOPE)
endfunction()
scorpio_find_codec(libdeflate libdeflate.h deflate "zlib deflates chunks, in twice the time" libdeflate-dev)
scorpio_find_codec(zstd zstd.h zstd "chunks that passed zstd are read through HDF5's plugins" libzstd-dev)
scorpio_find_codec(zfp zfp.h zfp "chunks that passed zfp are read through HDF5's plugins, and none are written" libzfp-dev)
scorpio_find_codec(blosc blosc.h blosc "chunks that passed blosc are read through HDF5's plugins" libblosc-dev)
