# What a build needs and has not found is told together: each with what it is for and where it comes from.
#
#   scorpio_need(FOUND_VARIABLE NAME FOR DEBIAN HINT)   notes it unless FOUND_VARIABLE is true
#   scorpio_report_needs()                              ends the configuration if anything was noted

function(scorpio_need found name purpose debian hint)
  if(NOT ${found})
    set_property(GLOBAL APPEND_STRING PROPERTY SCORPIO_NEEDS
                 "\n  ${name}, for ${purpose}: ${hint} (Debian package ${debian})")
  endif()
endfunction()

function(scorpio_report_needs)
  get_property(needs GLOBAL PROPERTY SCORPIO_NEEDS)
  if(needs)
    message(FATAL_ERROR "SCORPIO cannot be built, for these are missing:${needs}\nLoad their modules or install them; "
                        "what lies in a folder of its own is found with -DCMAKE_PREFIX_PATH=folder.")
  endif()
endfunction()
