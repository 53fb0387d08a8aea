// The definitions of the C types of scorpio.h, and the checks of handles that a caller passes. Local; any
// thread.
#pragma once

#include <cstddef>
#include <memory>

#include "base/options.h"
#include "scorpio/scorpio.h"
#include "session/file.h"
#include "session/iosystem/decomposition.h"
#include "session/iosystem/iosystem.h"

// Handles are made with new and delete, in pools that know which of them are valid (handle_pool.h).
struct scorpio_options {
  scorpio::OptionSet set;
  static void* operator new(size_t bytes);
  static void operator delete(void* handle);
};
struct scorpio_iosystem {
  std::unique_ptr<scorpio::session::IoSystem> system;
  static void* operator new(size_t bytes);
  static void operator delete(void* handle);
};
struct scorpio_file {
  std::unique_ptr<scorpio::session::File> file;
  static void* operator new(size_t bytes);
  static void operator delete(void* handle);
};
struct scorpio_decomp {
  std::unique_ptr<scorpio::session::Decomposition> decomposition;
  static void* operator new(size_t bytes);
  static void operator delete(void* handle);
};

namespace scorpio::capi {

inline Status null_argument(const char* name) {
  return failure(Code::argument, "argument '{}' is NULL", name);
}

// Code::argument for NULL, Code::handle for an invalid or released handle. Files and I/O systems need MPI:
// Code::state before MPI_Init and after MPI_Finalize. Functions that only read an I/O system (const) do not.
template <typename T>
Status check_argument(const T* pointer, const char* name) {
  return pointer == nullptr ? null_argument(name) : Status();
}
Status check_argument(const scorpio_options* options, const char* name);
Status check_argument(const scorpio_decomp* decomp, const char* name);
Status check_argument(const scorpio_iosystem* iosystem, const char* name);
Status check_argument(scorpio_iosystem* iosystem, const char* name);
Status check_argument(const scorpio_file* file, const char* name);
inline Status check_argument(scorpio_options* options, const char* name) {
  return check_argument(static_cast<const scorpio_options*>(options), name);
}
inline Status check_argument(scorpio_decomp* decomp, const char* name) {
  return check_argument(static_cast<const scorpio_decomp*>(decomp), name);
}
inline Status check_argument(scorpio_file* file, const char* name) {
  return check_argument(static_cast<const scorpio_file*>(file), name);
}

// The same for a handle that may be NULL.
template <typename Handle>
Status check_optional(const Handle* handle, const char* name) {
  return handle == nullptr ? Status() : check_argument(handle, name);
}

}  // namespace scorpio::capi
