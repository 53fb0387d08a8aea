#include "storage/name_beside.h"

#include <climits>

#include "base/hash.h"

namespace scorpio::storage {
namespace {

// Nearly all file systems accept names of 255 bytes. The shortest limit, 143, is that of eCryptfs, which
// encrypts names.
constexpr size_t k_longest_name = 143;
constexpr size_t k_hash_characters = 17;  // "-" and 16 digits

// Does not cut within a character of UTF-8, which some file systems require.
std::string_view cut(std::string_view name, size_t length) {
  const auto continues = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; };
  while (length > 0 && continues(name[length])) --length;
  return name.substr(0, length);
}

}  // namespace

std::string name_beside(const std::string& path, std::string_view suffix) {
  const size_t begin = path.rfind('/') + 1;  // 0 if the path has no folder
  const std::string_view name = std::string_view(path).substr(begin);
  if (name.size() + suffix.size() <= k_longest_name) return path + std::string(suffix);
  const std::string_view start = cut(name, k_longest_name - suffix.size() - k_hash_characters);
  return fmt::format("{}{}-{:016x}{}", std::string_view(path).substr(0, begin), start, fnv1a(name), suffix);
}

Status check_name_beside(const std::string& path, const std::string& beside) {
  if (beside.size() < PATH_MAX) return {};
  return failure(
      Code::name,
      "the path {} has {} bytes, and that of its accompanying file would have {}, more than the {} "
      "that the system takes: use a shorter name or fewer folders",
      path, path.size(), beside.size(), PATH_MAX - 1);
}

}  // namespace scorpio::storage
