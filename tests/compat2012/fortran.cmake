# The Fortran clients.
if(NOT MPI_Fortran_FOUND)
  return()
endif()

# add_fortran_program(NAME FAMILY SOURCES...): modules in a folder of its own, the family decides their contents.
# Clients call one name with arguments of several types and kinds: such are implicit interfaces.
function(add_fortran_program name family)
  add_executable(${name} pflotran_checks.F90 ${ARGN})
  set_target_properties(${name} PROPERTIES Fortran_MODULE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}_modules)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/compat/scorpio2012/include
                                             ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE FAMILY_${family})
  target_compile_options(${name} PRIVATE -w $<$<Fortran_COMPILER_ID:GNU>:-fallow-argument-mismatch>)
  target_link_libraries(${name} PRIVATE scorpio MPI::MPI_Fortran)
  add_dependencies(mpi_tests ${name})
endfunction()

foreach(family IN ITEMS FSCORPIO SCORPIO PARALLELIO)
  string(TOLOWER compat2012_pflotran_${family} program)
  add_fortran_program(${program} ${family} pflotran.F90)
endforeach()
# PFLOTRAN's arguments: read size, write size, which ranks have no cells; the oracle must know the last.
add_client_test(pflotran pflotran 1 compat2012_pflotran_fscorpio ARGS 1 1 1 RANKS 1 3)
add_client_test(pflotran_short_group pflotran 1 compat2012_pflotran_fscorpio ARGS 5 2 1 RANKS 5)
add_client_test(pflotran_idle_root pflotran 0 compat2012_pflotran_fscorpio ARGS 8 2 0 RANKS 8)
add_client_test(pflotran_wrong_roots pflotran 1 compat2012_pflotran_fscorpio ARGS 4 4 1 RANKS 10)
# More than there are ranks: no groups asked for.
add_client_test(pflotran_large_group pflotran 2 compat2012_pflotran_fscorpio ARGS 16 16 2 RANKS 2)
add_client_test(pflotran_names_of_2013 pflotran 1 compat2012_pflotran_scorpio ARGS 2 1 1 RANKS 2)
add_client_test(pflotran_names_of_2011 pflotran 1 compat2012_pflotran_parallelio ARGS 2 1 1 RANKS 2)

add_fortran_program(compat2012_fortran_additions FSCORPIO fortran_additions.F90)
add_client_test(fortran_additions fortran_additions fscorpio compat2012_fortran_additions RANKS 1 3)
