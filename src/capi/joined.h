// The status of a call that is carried out in several parts. Local; any thread.
#pragma once

#include <utility>

#include "base/status.h"

namespace scorpio::capi {

// The first failure; clipped values do not hide the failure of a later part.
inline Status joined(Status before, Status next) {
  const bool hides = before.code() == Code::range && !next.ok();
  return hides ? std::move(next) : first_failure(std::move(before), std::move(next));
}

}  // namespace scorpio::capi
