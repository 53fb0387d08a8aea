// Runs the Python scripts beside the tests, which make and read files with h5py and netCDF4. Collective over
// MPI_COMM_WORLD.
#pragma once

#include <mpi.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace scorpio::test {

// The exit code of the script, which rank 0 runs; 77 says that a module, or Python, is not there. `script`:
// its path in the folder of the tests.
inline int run_python(const std::string& script, const std::vector<std::string>& arguments) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int code = 77;
  const char* const python = std::getenv("SCORPIO_PYTHON");
  const char* const source = std::getenv("SCORPIO_SOURCE_DIR");
  if (rank == 0 && python != nullptr && *python != '\0' && source != nullptr) {
    std::string command = std::string(python) + " " + source + "/tests/" + script;
    for (const std::string& argument : arguments) command += " '" + argument + "'";
    const int status = std::system(command.c_str());
    code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  }
  MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return code;
}

}  // namespace scorpio::test
