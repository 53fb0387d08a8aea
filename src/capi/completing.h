// Collective calls that complete files: the application's function is called for them when the call has done
// its own work and holds nothing any more, so that the function can make calls of the library. One thread.
#pragma once

#include <memory>
#include <utility>

#include "capi/guard.h"
#include "session/iosystem/completions.h"

namespace scorpio::capi {

// Null for a handle that cannot be used. The call may free the I/O system.
inline std::shared_ptr<session::Completions> completions_of(scorpio_iosystem* iosystem) {
  return check_argument(iosystem, "").ok() ? iosystem->system->completions() : nullptr;
}
inline std::shared_ptr<session::Completions> completions_of(scorpio_file* file) {
  return check_argument(file, "").ok() ? file->file->system().completions() : nullptr;
}

template <typename Handle, typename Body>
int completing(Handle* handle, Body&& body, const char* call = __builtin_FUNCTION()) {
  const std::shared_ptr<session::Completions> completions = completions_of(handle);
  const int code = guarded(std::forward<Body>(body), call);
  if (completions != nullptr) completions->tell();
  return code;
}

}  // namespace scorpio::capi
