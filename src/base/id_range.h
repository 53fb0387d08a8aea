// The range of valid ids, for messages. Local; pure.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace scorpio {

// For `count` objects: "ids are 0 to 4", or "there are none".
inline std::string id_range(int64_t count) {
  return count == 0 ? std::string("there are none") : fmt::format("ids are 0 to {}", count - 1);
}

}  // namespace scorpio
