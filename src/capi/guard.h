// The common part of all C functions: converts a Status to a code, keeps its text for scorpio_error_last(),
// and catches exceptions. Local.
#pragma once

#include "base/current_call.h"
#include "base/guarded.h"
#include "base/result.h"
#include "capi/handles.h"

namespace scorpio::capi {

// The file that the current call concerns, if any.
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

// `call`: the C function, for messages; functions between it and this one pass it on.
template <typename Body>
int guarded(Body&& body, const char* call = __builtin_FUNCTION()) {
  const InCall in_call(call);
  return finish(scorpio::guarded(body));
}

}  // namespace scorpio::capi

// Returns from the enclosing lambda with Code::argument if `pointer` is NULL or, if it is a handle that
// cannot be used, with the failure of check_argument(). If it is a file, it becomes the file that the current
// call concerns.
#define SCORPIO_NOT_NULL(pointer) SCORPIO_TRY(::scorpio::capi::checked(pointer, #pointer))
