#include "storage/system_error.h"

#include <cerrno>
#include <cstring>

namespace scorpio::storage {
namespace {

// A failed open or read loses no data.
bool may_lose_data(std::string_view action) {
  return action == "write" || action == "sync" || action == "close";
}

const char* advice_for(int error, std::string_view action) {
  switch (error) {
    case ENOSPC:
      return "; free space on this file system or write elsewhere";
    case EDQUOT:
      return "; the quota is used up: remove files or write elsewhere";
    case EACCES:
    case EPERM:
      return "; check the permissions of the file and of the folders above it";
    case EROFS:
      return "; the file system is mounted read-only: write elsewhere";
    case ENOENT:
    case ENOTDIR:
      return "; check the path: the file or a folder above it does not exist";
    case ENAMETOOLONG:
      return "; use a shorter name";
    case EEXIST:
    case ENOTEMPTY:
      return "; remove it or choose another name";
    case EISDIR:
      return "; the path names a folder: choose a file name";
    case EMFILE:
    case ENFILE:
      return "; too many files are open: raise the limit (ulimit -n) or close some";
    case EFBIG:
      return "; the file is larger than the file system or the limit (ulimit -f) allows";
    case ESTALE:
      return "; the file was removed or replaced on the file server";
    case EIO:
      return may_lose_data(action)
                 ? "; the device or file server failed: what was written since the last sync may be lost"
                 : "; the device or file server failed";
    default:
      return "";
  }
}

std::string reason(int error, std::string_view action) {
  const char* name = strerrorname_np(error);
  return fmt::format("{} ({}){}",
                     strerrordesc_np(error) != nullptr ? strerrordesc_np(error) : "unknown error",
                     name != nullptr ? name : std::to_string(error), advice_for(error, action));
}

}  // namespace

Code code_of_errno(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return Code::no_space;
    case EACCES:
    case EPERM:
    case EROFS:
      return Code::permission;
    case ENOENT:
    case ENOTDIR:
      return Code::not_found;
    case ENAMETOOLONG:
      return Code::name;
    case EEXIST:
    case ENOTEMPTY:
      return Code::exists;
    case EFBIG:
      return Code::limit;
    default:
      return Code::io;
  }
}

Status system_failure(std::string_view action, const std::string& path, int error) {
  return failure(code_of_errno(error), "cannot {} {}: {}", action, path, reason(error, action));
}

Status transfer_failure(std::string_view action, const std::string& path, uint64_t offset, uint64_t bytes,
                        int error) {
  return failure(code_of_errno(error), "cannot {} {} bytes at offset {} of {}: {}", action, bytes, offset,
                 path, reason(error, action));
}

Status closed_failure(const std::string& path) {
  return failure(Code::state, "{} is closed: open it again before it is used", path);
}

Status read_only_failure(const std::string& path) {
  return failure(Code::read_only, "{} was opened for reading: open it for writing to change it", path);
}

}  // namespace scorpio::storage
