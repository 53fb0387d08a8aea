#include "storage/permissions.h"

#include <sys/stat.h>
#include <unistd.h>

namespace scorpio::storage {

namespace {

constexpr uid_t k_unchanged = static_cast<uid_t>(-1);

// What a group may do that is not the one of the old file: as much as anybody.
mode_t group_like_others(mode_t mode) { return (mode & S_IRWXO) << 3; }

}  // namespace

void take_over_permissions(const std::string& path, const std::string& successor) {
  constexpr mode_t k_permissions = 07777;
  struct stat old = {};
  if (::stat(path.c_str(), &old) != 0) return;
  const mode_t needed = S_ISDIR(old.st_mode) ? S_IRWXU : S_IRUSR | S_IWUSR;
  mode_t mode = old.st_mode & k_permissions;
  // A user may not give files to other users, but may to the groups that he is in.
  const bool same_group = ::chown(successor.c_str(), old.st_uid, old.st_gid) == 0 ||
                          ::chown(successor.c_str(), k_unchanged, old.st_gid) == 0;
  if (!same_group) mode = (mode & ~(S_IRWXG | S_ISGID)) | group_like_others(mode);
  (void)::chmod(successor.c_str(), mode | needed);  // after chown(), which may clear bits of the mode
}

}  // namespace scorpio::storage
