// Entering the HDF5 library: only one thread of the process at a time, without messages printed by HDF5. Many
// builds of HDF5 (parallel ones among them) are not thread-safe, but several threads may use an I/O system
// each. Local; any thread. Every public function of this folder that enters HDF5 creates one first; it must
// not be nested. No rank may wait for another one while it has such an object. Callbacks of the file driver
// run while one exists, or while the application is in HDF5, and take no such lock.
#pragma once

#include "base/mutex.h"
#include "format/hdf5/errors.h"

namespace scorpio::format::hdf5 {

// One for the process, as there is one HDF5 library.
extern Mutex library_mutex;

class SCORPIO_THREAD_ATTRIBUTE(scoped_lockable) LibraryCall {
 public:
  LibraryCall() SCORPIO_THREAD_ATTRIBUTE(acquire_capability(library_mutex)) : lock_(library_mutex) {}
  ~LibraryCall() SCORPIO_THREAD_ATTRIBUTE(release_capability()) {}
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

 private:
  MutexLock lock_;
  QuietErrors quiet_;  // destroyed before the lock is released
};

}  // namespace scorpio::format::hdf5
