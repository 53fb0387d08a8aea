// The end of programs that do not clean up, in MPI_Finalize: this rank makes block writes that it skipped and
// in which other ranks wait, and then closes open files and groups. One thread.
#pragma once

namespace scorpio2012 {

// Local. From now on MPI_Finalize does this (Collective). `uses_hdf5`: this rank opens files.
void at_finalize(bool uses_hdf5);

}  // namespace scorpio2012
