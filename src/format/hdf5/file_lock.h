// The advisory lock that HDF5's own driver takes: programs with stock HDF5 see that the file is in use.
// Local; thread-safe.
#pragma once

#include <string>

#include "base/status.h"

namespace scorpio::format::hdf5 {

// The lock is held until the descriptor is closed. Code::busy if another process has the file open for
// writing, or if `writable` and another process has it open. Succeeds on file systems without locks, and with
// HDF5_USE_FILE_LOCKING=FALSE.
Status lock_like_hdf5(int descriptor, bool writable, const std::string& name);
void unlock_like_hdf5(int descriptor);

}  // namespace scorpio::format::hdf5
