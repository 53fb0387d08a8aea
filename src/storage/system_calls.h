// The system calls on files, each as a virtual function, so that tests can make them fail. Independent; any
// thread. Each returns the value of the system call and leaves its errno. A write past the limit on file
// sizes fails with EFBIG and causes no signal.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scorpio::storage {

struct FolderEntry {
  std::string name;
  bool is_folder;  // false for a symbolic link to a folder
};

class SystemCalls {
 public:
  SystemCalls() = default;
  SystemCalls(const SystemCalls&) = delete;
  SystemCalls& operator=(const SystemCalls&) = delete;
  virtual ~SystemCalls() = default;

  virtual int open(const char* path, int flags, mode_t mode);
  virtual ssize_t pread(int descriptor, void* bytes, size_t count, off_t offset);
  virtual ssize_t pwritev(int descriptor, const struct iovec* parts, int count, off_t offset);
  virtual off_t seek(int descriptor, off_t offset, int whence);
  virtual int ftruncate(int descriptor, off_t size);
  virtual int fsync(int descriptor);
  // fsync, again when a signal has interrupted it.
  int sync(int descriptor) {
    int outcome = fsync(descriptor);
    while (outcome != 0 && errno == EINTR) outcome = fsync(descriptor);
    return outcome;
  }
  virtual int close(int descriptor);
  virtual int duplicate(int descriptor);
  virtual int rename(const char* from, const char* to);
  // EEXIST if `to` exists. EINVAL, ENOSYS or ENOTSUP if the file system has no such operation.
  virtual int rename_new(const char* from, const char* to);
  // Both exist, and exchange their names at once. Errors as before.
  virtual int exchange(const char* one, const char* other);
  // Creates a second name for a file; EEXIST if it is in use.
  virtual int link(const char* from, const char* to);
  virtual int unlink(const char* path);
  virtual int make_folder(const char* path, mode_t mode);
  virtual int remove_empty_folder(const char* path);
  // Lists a folder, without "." and ".."; ENOTDIR for a symbolic link.
  virtual int list(const char* path, std::vector<FolderEntry>* entries);
  virtual int fstat(int descriptor, struct stat* facts);
  virtual int stat(const char* path, struct stat* facts);
  // The file's type, S_IFREG or another. Unlike fstat it does not need the file's size from a file server.
  virtual int type(int descriptor, mode_t* type);
  virtual int set_flags(int descriptor, int flags);
  // The number of the kind of the file system that has the folder.
  virtual int file_system(const char* folder, uint32_t* magic);
  // On Lustre: the layout (lustre_wish()) of an open file that has none yet.
  virtual int set_layout(int descriptor, const std::byte* layout);
  // An exclusive lock of the whole file that belongs to the open file description; does not wait.
  virtual int lock(int descriptor);
  // Whether another open file description has such a lock.
  virtual int is_locked_by_other(int descriptor, bool* locked);
  // Ends the lock also where copies of the description, as those of child processes, remain.
  virtual int unlock(int descriptor);
};

}  // namespace scorpio::storage
