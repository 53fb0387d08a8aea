// A file as the sides use it that call the operating system themselves. Errors of the calls are thrown as
// std::system_error with the file's name. Local.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <string>
#include <system_error>

#include "common/arguments.h"

namespace bench {

[[noreturn]] inline void throw_errno(const char* call, const std::string& file) {
  throw std::system_error(errno, std::generic_category(), std::string(call) + " " + file);
}

// For the direction of the job; made if it is to be written.
inline int open_file(const Arguments& arguments) {
  const int descriptor = open(arguments.file.c_str(), arguments.read ? O_RDONLY : O_WRONLY | O_CREAT, 0644);
  if (descriptor < 0) throw_errno("open", arguments.file);
  return descriptor;
}

// All `size` bytes at `offset`, in the direction of the job, with calls of at most `call_bytes`.
inline void move_bytes(const Arguments& arguments, int descriptor, std::byte* bytes, size_t size,
                       off_t offset, size_t call_bytes = std::numeric_limits<size_t>::max()) {
  while (size > 0) {
    const size_t now = std::min(size, call_bytes);
    const ssize_t done =
        arguments.read ? pread(descriptor, bytes, now, offset) : pwrite(descriptor, bytes, now, offset);
    if (done <= 0) throw_errno(arguments.read ? "pread" : "pwrite", arguments.file);
    size -= static_cast<size_t>(done);
    bytes += done;
    offset += done;
  }
}

inline void close_file(const Arguments& arguments, int descriptor) {
  if (close(descriptor) != 0) throw_errno("close", arguments.file);
}

}  // namespace bench
