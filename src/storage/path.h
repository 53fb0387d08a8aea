// Pieces of a path. Local; pure.
#pragma once

#include <string>

namespace scorpio::storage {

// "a/b" -> "a", "/b" -> "/", "b" -> ".": the folder that holds `path`.
inline std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace scorpio::storage
