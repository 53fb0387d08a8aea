#include "storage/system_calls.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/file_size_signal.h"
#include "storage/lustre_layout.h"

namespace scorpio::storage {
namespace {

// Examines an entry of an open folder, because some file systems do not return its type in the list.
bool is_folder(DIR* folder, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat facts = {};
  return ::fstatat(::dirfd(folder), entry.d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(facts.st_mode);
}

// Returns errno, or 0 on success.
int read_entries(DIR* folder, std::vector<FolderEntry>& entries) {
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(folder);
    if (entry == nullptr) return errno;
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    entries.push_back({entry->d_name, is_folder(folder, *entry)});
  }
}

}  // namespace

int SystemCalls::open(const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); }

ssize_t SystemCalls::pread(int descriptor, void* bytes, size_t count, off_t offset) {
  return ::pread(descriptor, bytes, count, offset);
}

ssize_t SystemCalls::pwritev(int descriptor, const struct iovec* parts, int count, off_t offset) {
  const FileSizeSignalHeld held;
  return ::pwritev(descriptor, parts, count, offset);
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

int SystemCalls::rename_new(const char* from, const char* to) {
  return ::renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int SystemCalls::exchange(const char* one, const char* other) {
  return ::renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int SystemCalls::link(const char* from, const char* to) { return ::link(from, to); }

int SystemCalls::unlink(const char* path) { return ::unlink(path); }

int SystemCalls::make_folder(const char* path, mode_t mode) { return ::mkdir(path, mode); }

int SystemCalls::remove_empty_folder(const char* path) { return ::rmdir(path); }

int SystemCalls::list(const char* path, std::vector<FolderEntry>* entries) {
  const int descriptor = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return -1;
  DIR* const folder = ::fdopendir(descriptor);
  const int error = folder == nullptr ? errno : read_entries(folder, *entries);
  if (folder == nullptr) {
    ::close(descriptor);
  } else {
    ::closedir(folder);
  }
  errno = error;
  return error == 0 ? 0 : -1;
}

int SystemCalls::fstat(int descriptor, struct stat* facts) { return ::fstat(descriptor, facts); }

int SystemCalls::stat(const char* path, struct stat* facts) { return ::stat(path, facts); }

int SystemCalls::type(int descriptor, mode_t* type) {
  struct statx facts = {};
  const int outcome = ::statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &facts);
  if (outcome == 0) *type = facts.stx_mode & S_IFMT;
  return outcome;
}

int SystemCalls::set_flags(int descriptor, int flags) { return ::fcntl(descriptor, F_SETFL, flags); }

int SystemCalls::file_system(const char* folder, uint32_t* magic) {
  struct statfs facts = {};
  const int outcome = ::statfs(folder, &facts);
  if (outcome == 0) *magic = static_cast<uint32_t>(facts.f_type);
  return outcome;
}

int SystemCalls::set_layout(int descriptor, const std::byte* layout) {
  return ::ioctl(descriptor, k_set_layout, layout);
}

namespace {

struct flock whole_file(short type) {
  struct flock range = {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  return range;
}

}  // namespace

int SystemCalls::lock(int descriptor) {
  struct flock range = whole_file(F_WRLCK);
  return ::fcntl(descriptor, F_OFD_SETLK, &range);
}

int SystemCalls::is_locked_by_other(int descriptor, bool* locked) {
  struct flock range = whole_file(F_RDLCK);
  const int outcome = ::fcntl(descriptor, F_OFD_GETLK, &range);
  *locked = outcome == 0 && range.l_type != F_UNLCK;
  return outcome;
}

int SystemCalls::unlock(int descriptor) {
  struct flock range = whole_file(F_UNLCK);
  return ::fcntl(descriptor, F_OFD_SETLK, &range);
}

}  // namespace scorpio::storage
