# `cmake --install`: library, headers, CMake package (found as scorpio and as SCORPIO) and pkg-config file.

include(CMakePackageConfigHelpers)

set_target_properties(scorpio PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS scorpio EXPORT scorpio-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT c
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT c)
install(DIRECTORY include/scorpio DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT c FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT c)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT c FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
# The examples have a project of their own there, because that of this folder registers tests.
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT c
        FILES_MATCHING PATTERN "*.c" PATTERN "*.h" PATTERN "*.F90")
install(FILES cmake/examples.cmake DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples RENAME CMakeLists.txt COMPONENT c)

# What a static library needs at the link of its clients: files, and names for -l.
function(scorpio_link_files result)
  set(found "")
  foreach(item IN LISTS ARGN)
    if(TARGET "${item}")
      get_target_property(type ${item} TYPE)
      if(type STREQUAL "INTERFACE_LIBRARY")
        set(item "")
      else()
        get_target_property(item ${item} LOCATION)
      endif()
    endif()
    list(APPEND found ${item})
  endforeach()
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
set(SCORPIO_IS_STATIC OFF)
set(SCORPIO_STATIC_LIBRARIES "")
set(SCORPIO_CXX_RUNTIME ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM SCORPIO_CXX_RUNTIME ${CMAKE_C_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_DUPLICATES SCORPIO_CXX_RUNTIME)
set(pc_static_libs "")
set(pc_rpath " -Wl,-rpath,\${libdir}") # programs find the shared library without LD_LIBRARY_PATH
if(NOT BUILD_SHARED_LIBS)
  set(pc_rpath "")
  set(SCORPIO_IS_STATIC ON)
  set(rt "")
  if(SCORPIO_RT_LIBRARY)
    set(rt rt)
  endif()
  scorpio_link_files(SCORPIO_STATIC_LIBRARIES ${SCORPIO_2012_HDF5_LIBRARIES} ${SCORPIO_UTF8PROC_LIBRARY} ZLIB::ZLIB
                     ${SCORPIO_CODEC_LIBRARIES} fmt::fmt
                     ${CMAKE_THREAD_LIBS_INIT} ${rt})
  foreach(library IN LISTS SCORPIO_STATIC_LIBRARIES SCORPIO_CXX_RUNTIME)
    if(NOT library MATCHES "^[/-]")
      string(PREPEND library "-l")
    endif()
    string(APPEND pc_static_libs " ${library}")
  endforeach()
endif()

# The lower-case name with a dash is the one that find_package(scorpio) and find_package(SCORPIO) both look for.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/scorpio)
configure_package_config_file(cmake/scorpio-config.cmake.in ${PROJECT_BINARY_DIR}/package/scorpio-config.cmake
                              INSTALL_DESTINATION ${package_dir})
configure_file(cmake/scorpio-mpi.cmake.in ${PROJECT_BINARY_DIR}/package/scorpio-mpi.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/scorpio-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT scorpio-targets NAMESPACE scorpio:: DESTINATION ${package_dir} COMPONENT c)
configure_file(compat/scorpio2012/scorpio2012.cmake.in ${PROJECT_BINARY_DIR}/package/scorpio2012.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/scorpio-config.cmake
              ${PROJECT_BINARY_DIR}/package/scorpio-config-version.cmake
              ${PROJECT_BINARY_DIR}/package/scorpio-mpi.cmake
              ${PROJECT_BINARY_DIR}/package/scorpio2012.cmake
        DESTINATION ${package_dir} COMPONENT c)

# The prefix is known at installation only (cmake --install --prefix), so the file derives it from its own place.
cmake_path(SET pkgconfig_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${pkgconfig_dir} OUTPUT_VARIABLE pc_to_prefix)
cmake_path(APPEND pc_libdir "\${prefix}" "${CMAKE_INSTALL_LIBDIR}")
cmake_path(APPEND pc_includedir "\${prefix}" "${CMAKE_INSTALL_INCLUDEDIR}")
configure_file(cmake/scorpio.pc.in ${PROJECT_BINARY_DIR}/package/scorpio.pc @ONLY)
configure_file(compat/scorpio2012/scorpio-2012.pc.in ${PROJECT_BINARY_DIR}/package/scorpio-2012.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/scorpio.pc ${PROJECT_BINARY_DIR}/package/scorpio-2012.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT c)
