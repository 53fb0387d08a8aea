// What every public function does around the library: no exception leaves it. Local.
#pragma once

#include <exception>

#include "common.h"

namespace scorpio2012 {

// Only memory that cannot be had ends up here.
template <typename Body>
auto guarded(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::exception&) {
    return k_failure;
  }
}

}  // namespace scorpio2012
