// What every C function does around the library: turns a Status into a code, keeps its text for
// scorpio_error_last(), and lets no exception out. Local.
#pragma once

#include <exception>
#include <new>

#include "base/current_call.h"
#include "base/result.h"
#include "session/decomposition.h"
#include "session/file.h"
#include "session/iosystem.h"

struct scorpio_options {
  scorpio::OptionSet set;
};
struct scorpio_iosystem {
  std::unique_ptr<scorpio::session::IoSystem> system;
};
struct scorpio_file {
  std::unique_ptr<scorpio::session::File> file;
};
struct scorpio_decomp {
  std::unique_ptr<scorpio::session::Decomposition> decomposition;
};

namespace scorpio::capi {

// Keeps a failure for scorpio_error_last() of this thread; returns the code.
int finish(const Status& status);
const Status& last_failure();

// `call`: the C function, for messages; functions between it and this one hand it on.
template <typename Body>
int guarded(Body&& body, const char* call = __builtin_FUNCTION()) {
  const InCall in_call(call);
  try {
    return finish(body());
  } catch (const std::bad_alloc&) {
    return finish(Status(Code::memory, "out of memory"));
  } catch (const std::exception& e) {
    return finish(failure(Code::internal, "unexpected exception: {}", e.what()));
  }
}

inline Status null_argument(const char* name) {
  return failure(Code::argument, "argument '{}' is NULL", name);
}

}  // namespace scorpio::capi

// Returns Code::argument from the enclosing lambda when `pointer` is NULL.
#define SCORPIO_NOT_NULL(pointer) \
  if ((pointer) == nullptr) return ::scorpio::capi::null_argument(#pointer)
