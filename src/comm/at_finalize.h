// A function that MPI_Finalize calls first, while MPI can still be used. Local; one thread.
#pragma once

#include <mpi.h>

#include <functional>

#include "base/status.h"

namespace scorpio::comm {

class AtFinalize {
 public:
  // MPI_Finalize calls `function`, if this object still exists then; at most once.
  explicit AtFinalize(std::function<void()> function) : function_(std::move(function)) {}
  ~AtFinalize();
  AtFinalize(const AtFinalize&) = delete;
  AtFinalize& operator=(const AtFinalize&) = delete;
  Status set();

 private:
  static int call(MPI_Comm comm, int key, void* object, void* extra);

  std::function<void()> function_;
  int key_ = MPI_KEYVAL_INVALID;
  bool set_ = false;  // MPI refers to this object
};

}  // namespace scorpio::comm
