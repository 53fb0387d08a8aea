# The Fortran compiler, and fypp, which makes the sources of libpiof. Without them libpiof is left out.
option(SCORPIO_FORTRAN "Build the Fortran modules of the PIO interface, where there is what they need" ON)
if(DEFINED PIO_ENABLE_FORTRAN AND NOT PIO_ENABLE_FORTRAN) # the name of E3SM
  set(SCORPIO_FORTRAN OFF)
endif()
include(CheckLanguage)
if(SCORPIO_FORTRAN OR SCORPIO_TESTS)
  check_language(Fortran)
endif()
if(CMAKE_Fortran_COMPILER)
  enable_language(Fortran)
endif()

find_program(SCORPIO_FYPP NAMES fypp HINTS ${PROJECT_SOURCE_DIR}/build/venv/bin)
mark_as_advanced(SCORPIO_FYPP)
set(SCORPIO_PIOF_MISSING "")
if(NOT CMAKE_Fortran_COMPILER)
  list(APPEND SCORPIO_PIOF_MISSING "a Fortran compiler (Debian: gfortran)")
endif()
if(NOT SCORPIO_FYPP)
  list(APPEND SCORPIO_PIOF_MISSING "fypp (Debian: fypp; Python: fypp)")
endif()
if(SCORPIO_FORTRAN AND SCORPIO_PIOF_MISSING)
  list(JOIN SCORPIO_PIOF_MISSING ", " missing)
  message(STATUS "The Fortran modules of the PIO interface (libpiof) are left out. They need: ${missing}.")
endif()
set(SCORPIO_PIOF_COMPONENT "") # for cmake/scorpio-config.cmake.in
if(SCORPIO_FORTRAN AND NOT SCORPIO_PIOF_MISSING)
  set(SCORPIO_PIOF_COMPONENT "piof")
endif()

# scorpio_fypp(OUTPUT TEMPLATE SET): a source file from a template, for a set of modules.
set(SCORPIO_FYPP_FOLDER ${PROJECT_SOURCE_DIR}/compat/pio/fortran)
function(scorpio_fypp output template set)
  cmake_path(ABSOLUTE_PATH template)
  add_custom_command(OUTPUT ${output} VERBATIM
    DEPENDS ${template} ${SCORPIO_FYPP_FOLDER}/naming.py ${SCORPIO_FYPP_FOLDER}/signatures.py
    COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${SCORPIO_FYPP} -M ${SCORPIO_FYPP_FOLDER} -m naming
            -m signatures "-DSET=\"${set}\"" ${template} ${output})
endfunction()
