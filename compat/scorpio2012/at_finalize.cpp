#include "at_finalize.h"

#include <hdf5.h>

#include "common/at_finalize.h"
#include "meeting.h"
#include "registry.h"

namespace scorpio2012 {

namespace {

void leave(Assembly& assembly) {
  // A failure means that other ranks still make other calls; they reach MPI_Finalize later. After a failure
  // of MPI nobody can be waited for.
  for (Outcome met{k_failure}; met.error != 0 && !met.mpi_failed;)
    met = meet(assembly, {CallHash("MPI_Finalize")});
  while (!assembly.groups().empty()) {
    Group* const group = assembly.groups().front().group;
    iogroup_t nobody_looks;
    (void)group->close(nobody_looks);
    Registry::instance().remove(group);
  }
}

int leave_all(MPI_Comm, int, void*, void*) {
  Registry& registry = Registry::instance();
  while (!registry.assemblies().empty()) {
    Assembly* const assembly = registry.assemblies().front().get();
    leave(*assembly);
    registry.drop_if_empty(assembly);
  }
  return MPI_SUCCESS;
}

}  // namespace

// HDF5 also ends in such a callback. This one is set after it and therefore called before it, so that files
// can still be closed.
void at_finalize(bool uses_hdf5) {
  static bool done = false;
  static bool done_behind_hdf5 = false;
  if (done_behind_hdf5 || (done && !uses_hdf5)) return;
  if (uses_hdf5) H5open();
  done = scorpio_compat::call_at_finalize(leave_all);
  done_behind_hdf5 = done && uses_hdf5;
}

}  // namespace scorpio2012
