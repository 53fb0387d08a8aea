#include "format/hdf5/file_lock.h"

#include <sys/file.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace scorpio::format::hdf5 {

Status lock_like_hdf5(int descriptor, bool writable, const std::string& name) {
  const char* wish = std::getenv("HDF5_USE_FILE_LOCKING");
  const std::string_view value = wish == nullptr ? "" : wish;
  if (value == "FALSE" || value == "0") return {};
  int outcome = 0;
  do {
    outcome = flock(descriptor, (writable ? LOCK_EX : LOCK_SH) | LOCK_NB);
  } while (outcome != 0 && errno == EINTR);
  if (outcome == 0 || errno != EWOULDBLOCK) return {};
  return failure(Code::busy, "{} is locked: another program has it open with HDF5{}; wait for it to end",
                 name, writable ? "" : " for writing");
}

Status unlock_like_hdf5(storage::StoredFile& file, int descriptor) {
  flock(descriptor, LOCK_UN);
  return file.is_locked() ? file.lock_exclusive() : Status();
}

}  // namespace scorpio::format::hdf5
