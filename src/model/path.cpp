#include "model/path.h"

#include <algorithm>

namespace scorpio::model {
namespace {

Status check_part(std::string_view name, const std::string& path) {
  if (name == "." || name == "..") {
    return failure(Code::name, "\"{}\" in path \"{}\" is not a name; give the path without it", name, path);
  }
  if (name.find('\0') != std::string_view::npos) {
    return failure(Code::name, "a name in path \"{}\" holds a NUL byte; names end before it",
                   path.substr(0, path.find('\0')));
  }
  return {};
}

}  // namespace

bool is_normal(std::string_view path) {
  if (path.empty() || path.front() != '/' || (path.back() == '/' && path.size() > 1)) return false;
  char before = 0;
  for (const char now : path) {
    if (now == '\0' || (before == '/' && (now == '/' || now == '.'))) return false;
    before = now;
  }
  return true;
}

Result<std::string> normalise(const std::string& path) {
  if (is_normal(path)) return path;
  if (path.empty()) return failure(Code::name, "the path is empty; the root group is \"/\"");
  std::string out;
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) {
      const std::string_view name = std::string_view(path).substr(begin, end - begin);
      SCORPIO_TRY(check_part(name, path));
      out.append("/").append(name);
    }
    begin = end + 1;
  }
  return out.empty() ? std::string("/") : out;
}

std::string parent(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

std::string leaf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool at_or_below(const std::string& path, const std::string& object) {
  return path == object || path.starts_with(object == "/" ? object : object + "/");
}

}  // namespace scorpio::model
