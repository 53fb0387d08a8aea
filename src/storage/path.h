// Functions for paths. Local.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace scorpio::storage {

// The folder that contains `path`: "a/b" -> "a", "/b" -> "/", "b" -> ".".
inline std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The absolute path for the present folder, which the program may change before the file is closed.
inline std::string absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::absolute(path, failed);
  return failed ? path : full.string();
}

// True also for a link without a target.
inline bool is_link(const std::string& path) {
  std::error_code failed;
  return std::filesystem::is_symlink(path, failed);
}

// The target of a symbolic link; other paths, and links without a target, are returned unchanged.
inline std::string followed(const std::string& path) {
  if (!is_link(path)) return path;
  std::error_code failed;
  const std::filesystem::path target = std::filesystem::canonical(path, failed);
  return failed ? path : target.string();
}

// Resolves links, "." and "..", as far as the path exists, and a link to a file that does not exist yet; the
// rest is unchanged.
inline std::string resolved(const std::string& path) {
  constexpr int k_most_links = 40;  // of Linux
  std::error_code failed;
  std::filesystem::path target = std::filesystem::weakly_canonical(path, failed);
  for (int i = 0; i < k_most_links && !failed && is_link(target.string()); ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(target, failed);
    if (!failed) target = std::filesystem::weakly_canonical(target.parent_path() / next, failed);
  }
  return failed ? path : target.string();
}

}  // namespace scorpio::storage
