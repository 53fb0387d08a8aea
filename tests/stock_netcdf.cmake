# The stock netCDF libraries and tools: targets PkgConfig::SCORPIO_NETCDF and PkgConfig::SCORPIO_PNETCDF, programs
# SCORPIO_NCDUMP and SCORPIO_NCVALIDATOR. What is not there is not set.
find_package(PkgConfig)
if(PkgConfig_FOUND)
  pkg_check_modules(SCORPIO_NETCDF IMPORTED_TARGET netcdf)
  if(SCORPIO_MPI_KIND STREQUAL "openmpi") # Debian's PnetCDF is of Open MPI
    pkg_check_modules(SCORPIO_PNETCDF IMPORTED_TARGET pnetcdf)
  endif()
endif()
# Debian 13's pnetcdf.pc names a folder of the machine that built it.
if(TARGET PkgConfig::SCORPIO_PNETCDF)
  get_target_property(folders PkgConfig::SCORPIO_PNETCDF INTERFACE_INCLUDE_DIRECTORIES)
  set(there "")
  foreach(folder IN LISTS folders)
    if(IS_DIRECTORY "${folder}")
      list(APPEND there "${folder}")
    endif()
  endforeach()
  set_target_properties(PkgConfig::SCORPIO_PNETCDF PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${there}")
endif()
find_program(SCORPIO_NCDUMP ncdump)
find_program(SCORPIO_NCVALIDATOR ncvalidator)
mark_as_advanced(SCORPIO_NCDUMP SCORPIO_NCVALIDATOR)
