# Configures SOURCE_DIR in BUILD_DIR for a static library, as a user does, and installs it into an empty PREFIX. With
# ARCHIVE, PIO_ARCHIVE, REPORT, PLAN, PIOF_ARCHIVE and PIOF_MODULES these are taken for what the build would have made.
file(REMOVE_RECURSE ${PREFIX} ${BUILD_DIR})
set(fortran ON)
if(ARCHIVE AND NOT PIOF_ARCHIVE)
  set(fortran OFF)
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${BUILD_DIR} -DBUILD_SHARED_LIBS=OFF -DSCORPIO_MPI=${MPI}
          -DMPI_C_COMPILER=${MPI_C_COMPILER} -DSCORPIO_TESTS=OFF -DSCORPIO_BENCH=OFF
          -DSCORPIO_FORTRAN=${fortran}
  COMMAND_ERROR_IS_FATAL ANY)
if(ARCHIVE)
  file(COPY ${ARCHIVE} DESTINATION ${BUILD_DIR})
  file(COPY ${PIO_ARCHIVE} DESTINATION ${BUILD_DIR}/compat/pio)
  file(COPY ${REPORT} ${PLAN} DESTINATION ${BUILD_DIR}/tools)
  if(PIOF_ARCHIVE)
    file(COPY ${PIOF_ARCHIVE} ${PIOF_MODULES} DESTINATION ${BUILD_DIR}/compat/pio/fortran)
  endif()
else()
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD_DIR} COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${PREFIX} COMMAND_ERROR_IS_FATAL ANY)
