// The common part of all C functions: converts a Status to a code, keeps its text for scorpio_error_last(),
// catches exceptions, and keeps progress threads out. Local.
#pragma once

#include "base/current_call.h"
#include "base/guarded.h"
#include "base/result.h"
#include "capi/call_locks.h"
#include "capi/handles.h"

namespace scorpio::capi {

// What the current call concerns: a file, whose path is in its failures, or an I/O system, which tells them.
// The progress thread of the I/O system waits until the call ends.
inline void about(const void*) {}
inline void about(const session::System& system) {
  set_current_teller(system.teller());
  CallLocks::hold(system.progress_thread());
}
inline void about(const scorpio_iosystem* iosystem) { about(*iosystem->system); }
inline void about(const scorpio_file* file) {
  set_current_path(file->file->path());
  about(file->file->system());
}

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
  const CallLocks locks;
  return finish(scorpio::guarded(body));
}

}  // namespace scorpio::capi

// Returns from the enclosing lambda with Code::argument if `pointer` is NULL or, if it is a handle that
// cannot be used, with the failure of check_argument(). If it is a file or an I/O system, the current call
// concerns it.
#define SCORPIO_NOT_NULL(pointer) SCORPIO_TRY(::scorpio::capi::checked(pointer, #pointer))
