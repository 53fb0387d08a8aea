// Environment variables that were misspelt are told, with what was meant; others are left alone.
#include "base/variable_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace scorpio {
namespace {

std::string note_of(const std::string& variable) {
  const auto notes = misspelt_variables({"PATH", variable});
  return notes.empty() ? "" : notes.front();
}

TEST(VariableNames, MisspeltOnesAreToldWithWhatWasMeant) {
  for (const auto& [variable, meant] :
       std::vector<std::pair<std::string, std::string>>{{"SCORPIO_IO_RANK", "SCORPIO_IO_RANKS?"},
                                                        {"SCORPIO_IORANKS", "SCORPIO_IO_RANKS?"},
                                                        {"SCORPIO_STAGING_BYTE", "SCORPIO_STAGING_BYTES?"},
                                                        {"SCORPIO_STAGING_SIZE", "SCORPIO_STAGING_"},
                                                        {"SCORPIO_STAGING", "SCORPIO_STAGING_"},
                                                        {"SCORPIO_BLOCK_SIZE", "SCORPIO_BLOCK_BYTES?"},
                                                        {"SCORPIO_BLOCK", "SCORPIO_BLOCK_BYTES?"},
                                                        {"SCORPIO_GROUPSIZE", "SCORPIO_GROUP_SIZE?"},
                                                        {"SCORPIO_DURABEL", "SCORPIO_DURABLE?"},
                                                        {"SCORPIO_FORMATS", "SCORPIO_FORMAT?"},
                                                        {"SCORPIO_EXCHANGES", "SCORPIO_EXCHANGE?"},
                                                        {"SCORPIO_IO_STRIDES", "SCORPIO_IO_STRIDE?"},
                                                        {"SCORPIO_CONFG", "SCORPIO_CONFIG?"},
                                                        {"SCORPIO_CONFIG_FILE", "SCORPIO_CONFIG?"},
                                                        {"SCORPIO_io_ranks", "SCORPIO_IO_RANKS?"}}) {
    const std::string note = note_of(variable);
    EXPECT_NE(note.find(variable + " is not read"), std::string::npos) << variable << ": " << note;
    EXPECT_NE(note.find("did you mean " + meant), std::string::npos) << variable << ": " << note;
  }
}

TEST(VariableNames, WhatIsReadIsNoMistake) {
  for (const OptionSpec& spec : known_options()) EXPECT_EQ(note_of(variable_of(spec)), "") << spec.name;
  for (const char* name : {"SCORPIO_CONFIG", "SCORPIO_MAX_BUFFER", "SCORPIO_XDMF", "SCORPIO_VERBOSE"}) {
    EXPECT_EQ(note_of(name), "") << name;
  }
}

// Of the build, of the tests, of module systems, of other programs.
TEST(VariableNames, OthersAreLeftAlone) {
  for (const char* name : {"SOURCE_DIR",
                           "BINARY_DIR",
                           "TESTBED",
                           "DATA",
                           "DATA_DIR",
                           "PYTHON",
                           "MPIRUN",
                           "MPI",
                           "MPI_KIND",
                           "ROOT",
                           "DIR",
                           "HOME",
                           "PREFIX",
                           "PATH",
                           "LIB",
                           "LIBRARY",
                           "LIBRARIES",
                           "INCLUDE",
                           "INC",
                           "VERSION",
                           "BENCH",
                           "TESTS",
                           "WERROR",
                           "SANITIZE",
                           "FUZZ",
                           "TEST_SEED",
                           "TEST_CASES",
                           "TEST_KEEP",
                           "TEST_WATCH",
                           "TEST_PREFIX",
                           "TEST_MAX_RANKS",
                           "TEST_SLOWNESS",
                           "CDF_ORACLE",
                           "CDF_NCDUMP",
                           "CLASSIC_STOCK",
                           "HDF5",
                           "NETCDF",
                           "PNETCDF",
                           "NCDUMP",
                           "H5DUMP",
                           "UTF8PROC",
                           "LOG",
                           "DEBUG",
                           "TRACE",
                           "USER",
                           "FILE",
                           "INPUT",
                           "OUTPUT",
                           "RUN",
                           "CASE",
                           ""}) {
    EXPECT_EQ(note_of(std::string("SCORPIO_") + name), "") << name;
  }
  EXPECT_EQ(note_of("SCORPIOS_IO_RANK"), "");
  EXPECT_EQ(note_of("IO_RANK"), "");
}

TEST(VariableNames, OfThisProcess) {
  ::setenv("SCORPIO_IO_RANK", "2", 1);
  const auto names = process_variable_names();
  ::unsetenv("SCORPIO_IO_RANK");
  EXPECT_NE(std::ranges::find(names, "SCORPIO_IO_RANK"), names.end());
  EXPECT_NE(std::ranges::find(names, "PATH"), names.end());
}

}  // namespace
}  // namespace scorpio
