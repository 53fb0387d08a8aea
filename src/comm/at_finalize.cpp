#include "comm/at_finalize.h"

#include <utility>

#include "comm/communicator.h"

namespace scorpio::comm {

// MPI calls the delete functions of the attributes of MPI_COMM_SELF, the one that was set last first.
Status AtFinalize::set() {
  SCORPIO_TRY(mpi_status(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &AtFinalize::call, &key_, nullptr),
                         "MPI_Comm_create_keyval"));
  SCORPIO_TRY(mpi_status(MPI_Comm_set_attr(MPI_COMM_SELF, key_, this), "MPI_Comm_set_attr"));
  set_ = true;
  return {};
}

int AtFinalize::call(MPI_Comm, int, void* object, void*) {
  auto* const self = static_cast<AtFinalize*>(object);
  if (std::exchange(self->set_, false)) self->function_();
  return MPI_SUCCESS;
}

// The deletion of the attribute calls the function above as MPI_Finalize does.
AtFinalize::~AtFinalize() {
  if (key_ == MPI_KEYVAL_INVALID) return;
  if (std::exchange(set_, false)) {
    MPI_Comm_delete_attr(MPI_COMM_SELF, key_);
    MPI_Comm_free_keyval(&key_);
  }
}

}  // namespace scorpio::comm
