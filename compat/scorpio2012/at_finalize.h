// The last meeting of programs that do not clean up: in MPI_Finalize. It helps ranks that are still in a
// block write which others skipped, then closes what is open. One thread.
#pragma once

namespace scorpio2012 {

// Local. From now on MPI_Finalize does so (Collective). `uses_hdf5`: this rank opens files.
void at_finalize(bool uses_hdf5);

}  // namespace scorpio2012
