// The version of the library as text. Pure.
#pragma once

#include <fmt/format.h>

#include <string>

#include "scorpio/scorpio.h"

namespace scorpio::session {

inline std::string library_version() {
  return fmt::format("{}.{}.{}", SCORPIO_VERSION_MAJOR, SCORPIO_VERSION_MINOR, SCORPIO_VERSION_PATCH);
}

}  // namespace scorpio::session
