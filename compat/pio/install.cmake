# The installation of the PIO interface, after that of the library: headers, libpioc, pkg-config file pioc, and
# scorpio::pioc in the CMake package.
install(TARGETS pioc EXPORT scorpio-targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT c
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT c)
install(DIRECTORY ${SCORPIO_PIO_INCLUDE}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT c
        FILES_MATCHING PATTERN "*.h")

# The makefiles of models say -lpioc and know nothing else; the build of E3SM names libpioc.a by its path. The linker finds
# the archives, which the script names as files, in the folder of the script in both cases; -l needs that folder as -L.
if(NOT BUILD_SHARED_LIBS)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/libpioc.a @ONLY
       CONTENT "/* GNU ld script: the PIO interface, and what it needs */\nINPUT ( libscorpio_pioc.a libscorpio.a@pc_static_libs@ )\n")
  install(FILES ${PROJECT_BINARY_DIR}/package/libpioc.a DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT c)
endif()

configure_file(compat/pio/pioc.pc.in ${PROJECT_BINARY_DIR}/package/pioc.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/pioc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT c)
