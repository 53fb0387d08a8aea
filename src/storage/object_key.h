// The rules for keys of objects. Local; pure.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace scorpio::storage {

// The prefix of temporary names of objects that are being written; no key begins with it.
inline constexpr std::string_view k_put_prefix = ".scorpio-put-";

// A key consists of parts joined by '/', as "temperature/c/0/1". Code::name for an empty part, "." and "..",
// a part with k_put_prefix, or a NUL character.
Status check_key(const std::string& key);

inline std::string path_of_object(const std::string& folder, const std::string& key) {
  return folder + "/" + key;
}

}  // namespace scorpio::storage
