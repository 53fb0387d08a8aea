#include "storage/system_calls.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "base/file_size_signal.h"

namespace scorpio::storage {

int SystemCalls::open(const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); }

ssize_t SystemCalls::pread(int descriptor, void* bytes, size_t count, off_t offset) {
  return ::pread(descriptor, bytes, count, offset);
}

ssize_t SystemCalls::pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  const FileSizeSignalHeld held;
  return ::pwrite(descriptor, bytes, count, offset);
}

off_t SystemCalls::seek(int descriptor, off_t offset, int whence) {
  return ::lseek(descriptor, offset, whence);
}

int SystemCalls::ftruncate(int descriptor, off_t size) {
  const FileSizeSignalHeld held;
  return ::ftruncate(descriptor, size);
}

int SystemCalls::fsync(int descriptor) { return ::fsync(descriptor); }

int SystemCalls::close(int descriptor) { return ::close(descriptor); }

int SystemCalls::duplicate(int descriptor) { return ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

int SystemCalls::rename(const char* from, const char* to) { return std::rename(from, to); }

int SystemCalls::unlink(const char* path) { return ::unlink(path); }

int SystemCalls::fstat(int descriptor, struct stat* facts) { return ::fstat(descriptor, facts); }

int SystemCalls::stat(const char* path, struct stat* facts) { return ::stat(path, facts); }

int SystemCalls::type(int descriptor, mode_t* type) {
  struct statx facts = {};
  const int outcome = ::statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &facts);
  if (outcome == 0) *type = facts.stx_mode & S_IFMT;
  return outcome;
}

int SystemCalls::set_flags(int descriptor, int flags) { return ::fcntl(descriptor, F_SETFL, flags); }

int SystemCalls::lock(int descriptor) {
  struct flock whole_file = {};
  whole_file.l_type = F_WRLCK;
  whole_file.l_whence = SEEK_SET;
  return ::fcntl(descriptor, F_OFD_SETLK, &whole_file);
}

}  // namespace scorpio::storage
