// The MPI-IO hints of the tuned configurations (workloads.md, "Best peer"). Local.
#pragma once

#include <mpi.h>

#include <string>

#include "common/arguments.h"

namespace bench {

constexpr int k_alignment_bytes = 1 << 20;

class Hints {
 public:
  explicit Hints(const Arguments& arguments) {
    if (!arguments.tuned) return;
    MPI_Info_create(&info_);
    MPI_Info_set(info_, "cb_nodes", std::to_string(arguments.io_ranks).c_str());
    MPI_Info_set(info_, "cb_buffer_size", std::to_string(16 << 20).c_str());
    MPI_Info_set(info_, "romio_ds_write", "disable");
    MPI_Info_set(info_, "nc_var_align_size", std::to_string(k_alignment_bytes).c_str());
  }
  ~Hints() {
    if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
  }
  Hints(const Hints&) = delete;
  Hints& operator=(const Hints&) = delete;
  MPI_Info info() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

}  // namespace bench
