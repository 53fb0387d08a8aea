// A folder that all ranks of MPI_COMM_WORLD see, which rank 0 makes and removes. Collective.
#pragma once

#include <mpi.h>

#include <filesystem>
#include <optional>
#include <string>

#include "support/temporary_folder.h"

namespace scorpio::test {

class SharedFolder {
 public:
  SharedFolder() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) path_ = made_.emplace().path();
    auto length = static_cast<int>(path_.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path_.resize(static_cast<size_t>(length));
    MPI_Bcast(path_.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  ~SharedFolder() { MPI_Barrier(MPI_COMM_WORLD); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  // Number of files in it, temporary and hidden ones included: no rank goes on to make another one while
  // others still count.
  int files() const {
    int n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) n += entry.exists() ? 1 : 0;
    MPI_Barrier(MPI_COMM_WORLD);
    return n;
  }

 private:
  std::optional<TemporaryFolder> made_;  // on rank 0
  std::string path_;
};

}  // namespace scorpio::test
