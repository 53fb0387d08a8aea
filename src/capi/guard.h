// What every C function does around the library: turns a Status into a code, keeps its text for
// scorpio_error_last(), and lets no exception out. Local.
#pragma once

#include "base/current_call.h"
#include "base/guarded.h"
#include "base/result.h"
#include "capi/handles.h"

namespace scorpio::capi {

// What the current call is about, if it is a file.
inline void about(const void*) {}
inline void about(const scorpio_file* file) { set_current_path(file->file->path()); }

template <typename T>
Status checked(T* pointer, const char* name) {
  SCORPIO_TRY(check_argument(pointer, name));
  about(pointer);
  return {};
}

// Keeps a failure for scorpio_error_last() of this thread; returns the code.
int finish(const Status& status);
const Status& last_failure();

// `call`: the C function, for messages; functions between it and this one hand it on.
template <typename Body>
int guarded(Body&& body, const char* call = __builtin_FUNCTION()) {
  const InCall in_call(call);
  return finish(scorpio::guarded(body));
}

}  // namespace scorpio::capi

// Returns from the enclosing lambda with Code::argument when `pointer` is NULL, or when it is a handle that
// cannot be used, with what check_argument() says of it. A file is what the current call is about from here.
#define SCORPIO_NOT_NULL(pointer) SCORPIO_TRY(::scorpio::capi::checked(pointer, #pointer))
