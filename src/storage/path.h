// Pieces of a path, and where it leads. Local.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

namespace scorpio::storage {

// "a/b" -> "a", "/b" -> "/", "b" -> ".": the folder that holds `path`.
inline std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// From the root, as the current folder is now: a program may change it before a file is closed.
inline std::string absolute(const std::string& path) {
  if (path.starts_with('/')) return path;
  std::error_code failed;
  const std::filesystem::path full = std::filesystem::absolute(path, failed);
  return failed ? path : full.string();
}

// Also one that leads nowhere.
inline bool is_link(const std::string& path) {
  std::error_code failed;
  return std::filesystem::is_symlink(path, failed);
}

// The file that a symbolic link leads to; other paths, and links that lead nowhere, as they are.
inline std::string followed(const std::string& path) {
  if (!is_link(path)) return path;
  std::error_code failed;
  const std::filesystem::path target = std::filesystem::canonical(path, failed);
  return failed ? path : target.string();
}

// Without links, "." and ".." as far as it leads to something that is there; the rest as it is.
inline std::string resolved(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, failed);
  return failed ? path : target.string();
}

}  // namespace scorpio::storage
