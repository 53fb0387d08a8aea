#include "storage/permissions.h"

#include <sys/stat.h>
#include <unistd.h>

namespace scorpio::storage {

void take_over_permissions(const std::string& path, const std::string& successor) {
  constexpr mode_t k_permissions = 07777;
  struct stat old = {};
  if (::stat(path.c_str(), &old) != 0) return;
  const mode_t needed = S_ISDIR(old.st_mode) ? S_IRWXU : S_IRUSR | S_IWUSR;
  (void)!::chown(successor.c_str(), old.st_uid, old.st_gid);  // may clear bits of the mode
  (void)::chmod(successor.c_str(), (old.st_mode & k_permissions) | needed);
}

}  // namespace scorpio::storage
