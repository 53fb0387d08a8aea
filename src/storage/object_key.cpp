#include "storage/object_key.h"

namespace scorpio::storage {
namespace {

bool is_part(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && !part.starts_with(k_put_prefix) &&
         part.find('\0') == std::string_view::npos;
}

}  // namespace

Status check_key(const std::string& key) {
  std::string_view rest = key;
  while (true) {
    const size_t slash = rest.find('/');
    if (!is_part(rest.substr(0, slash))) break;
    if (slash == std::string_view::npos) return {};
    rest.remove_prefix(slash + 1);
  }
  return failure(Code::name,
                 "\"{}\" cannot be the key of an object: it consists of names joined by '/', none of them "
                 "empty, \".\", \"..\" or beginning with \"{}\"",
                 key, k_put_prefix);
}

}  // namespace scorpio::storage
