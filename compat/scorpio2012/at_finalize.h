// The end of programs that do not clean up, in MPI_Finalize: this rank makes the block writes that it skipped
// and for which other ranks wait, and then closes open files and groups. One thread.
#pragma once

namespace scorpio2012 {

// Local. MPI_Finalize does this from now on (Collective). `uses_hdf5`: this rank opens files.
void at_finalize(bool uses_hdf5);

}  // namespace scorpio2012
