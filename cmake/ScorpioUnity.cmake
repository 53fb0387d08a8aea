# Files that are compiled together, as one, which takes a quarter of the time in a build from nothing: the headers are read, and
# templates compiled, once. A compiler takes up to 1.2 GB for it. A change then compiles all of them again, and a file may use what
# another one includes: for those who build the library once, and for test runs, in which dev/check-alone looks at each file. The presets
# of developers have it off. Names of local things therefore differ within a folder.
option(SCORPIO_UNITY "Compile the files of a folder of sources, or of a test, together" ON)

# scorpio_compile_together(target at_most): so many files together, in the order in which the target lists them; 0: all.
function(scorpio_compile_together target at_most)
  if(SCORPIO_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${at_most})
  endif()
endfunction()
