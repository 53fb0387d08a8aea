#include "pio/base/paths.h"

#include <filesystem>
#include <system_error>

namespace scorpio_pio {

std::string target_of(const std::string& path) {
  constexpr int k_most_links = 40;  // as Linux follows them
  std::error_code ignored;          // also that there is nothing yet
  std::filesystem::path at = path;
  int links = 0;
  for (; links < k_most_links && std::filesystem::is_symlink(at, ignored); ++links)
    at = at.parent_path() / std::filesystem::read_symlink(at, ignored);
  return links == 0 || links == k_most_links ? "" : at.string();
}

// weakly_canonical() makes no relative path of nothing that exists absolute, and does not follow a link to
// nothing.
std::string resolved_path(const std::string& path) {
  std::error_code failed;
  std::filesystem::path at = std::filesystem::absolute(path, failed);
  if (!failed) at = std::filesystem::weakly_canonical(at, failed);
  if (failed) return "";
  if (const std::string target = target_of(at.string()); !target.empty())
    at = std::filesystem::weakly_canonical(target, failed);
  return failed ? "" : at.string();
}

}  // namespace scorpio_pio
