// A function that MPI_Finalize calls first, while ranks can still communicate. Local; one thread.
#pragma once

#include <mpi.h>

namespace scorpio_compat {

// MPI calls the delete functions of the attributes of MPI_COMM_SELF, the one that was set last first. Returns
// false if it could not be set.
inline bool call_at_finalize(MPI_Comm_delete_attr_function* function) {
  int key = MPI_KEYVAL_INVALID;
  return MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, function, &key, nullptr) == MPI_SUCCESS &&
         MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
}

}  // namespace scorpio_compat
