// The advisory lock that HDF5's own driver takes: programs with stock HDF5 see that the file is in use.
// Local; thread-safe.
#pragma once

#include <string>

#include "base/status.h"
#include "storage/store.h"

namespace scorpio::format::hdf5 {

// The lock is held until the descriptor is closed. Code::busy if another process has the file open for
// writing, or if `writable` and another process has it open. Succeeds on file systems without locks, and with
// HDF5_USE_FILE_LOCKING=FALSE.
Status lock_like_hdf5(int descriptor, bool writable, const std::string& name);
// Keeps the lock of the storage. NFS and Lustre have one kind of lock only: the storage's ends with HDF5's
// there, and is taken again. Code::busy if another run took it in between.
Status unlock_like_hdf5(storage::StoredFile& file, int descriptor);

}  // namespace scorpio::format::hdf5
