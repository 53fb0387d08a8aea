// The way into the HDF5 library: one thread of the process at a time, and HDF5 prints nothing. Many builds of
// HDF5 (parallel ones among them) are not thread-safe, but threads may use one I/O system each.
// Local; any thread. Every public function of this folder that enters HDF5 makes one first. Not nested.
// Nothing that waits for another rank may happen while one lives; the file driver's callbacks, which run
// while one lives, or while a client is in HDF5 without one, take no such lock.
#pragma once

#include "base/mutex.h"
#include "format/hdf5/errors.h"

namespace scorpio::format::hdf5 {

// Of the process, as the library that it guards.
extern Mutex library_mutex;

class SCORPIO_THREAD_ATTRIBUTE(scoped_lockable) LibraryCall {
 public:
  LibraryCall() SCORPIO_THREAD_ATTRIBUTE(acquire_capability(library_mutex)) : lock_(library_mutex) {}
  ~LibraryCall() SCORPIO_THREAD_ATTRIBUTE(release_capability()) {}
  LibraryCall(const LibraryCall&) = delete;
  LibraryCall& operator=(const LibraryCall&) = delete;

 private:
  MutexLock lock_;
  QuietErrors quiet_;  // ends before the lock does
};

}  // namespace scorpio::format::hdf5
