// Pieces of a path, and where it leads. Local.
#pragma once

#include <filesystem>
#include <string>

namespace scorpio::storage {

// "a/b" -> "a", "/b" -> "/", "b" -> ".": the folder that holds `path`.
inline std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// The file that a symbolic link leads to; other paths, and links that lead nowhere, as they are.
inline std::string followed(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_symlink(path, failed)) return path;
  const std::filesystem::path target = std::filesystem::canonical(path, failed);
  return failed ? path : target.string();
}

}  // namespace scorpio::storage
