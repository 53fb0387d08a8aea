#include "comm/mpi_state.h"

#include <mpi.h>

#include <algorithm>
#include <array>

namespace scorpio::comm {

Status check_mpi() {
  int begun = 0;
  if (MPI_Initialized(&begun) != MPI_SUCCESS || begun == 0) {
    return failure(Code::state, "MPI is not initialized yet; call MPI_Init before");
  }
  return check_mpi_not_finalized();
}

Status check_mpi_not_finalized() {
  int ended = 0;
  if (MPI_Finalized(&ended) != MPI_SUCCESS || ended != 0) {
    return failure(Code::state,
                   "MPI is finalized; close files and free I/O systems before MPI_Finalize is called");
  }
  return {};
}

ThreadLevel thread_level() {
  int level = MPI_THREAD_SINGLE;
  (void)MPI_Query_thread(&level);
  if (level == MPI_THREAD_MULTIPLE) return {"MPI_THREAD_MULTIPLE", true};
  if (level == MPI_THREAD_SERIALIZED) return {"MPI_THREAD_SERIALIZED"};
  return {level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SINGLE"};
}

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// Open MPI names its build after the first comma, MPICH after the first line.
std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  if (MPI_Get_library_version(text.data(), &length) != MPI_SUCCESS) return "MPI";
  std::string line(text.data());
  line.resize(std::min(line.find_first_of(",\n"), line.size()));
  std::ranges::replace(line, '\t', ' ');
  return line;
}

MPI_Comm from_fortran(MPI_Fint comm) { return MPI_Comm_f2c(comm); }

}  // namespace scorpio::comm
