// HDF5's error messages: not printed while the library calls HDF5, and included in the texts of failures.
// Local; the thread that is in HDF5 (library_call.h).
#pragma once

#include <hdf5.h>

#include <string>

#include "base/status.h"

namespace scorpio::format::hdf5 {

// While an object exists, HDF5 prints nothing; afterwards the error handler of the application is restored.
// Can be nested.
class QuietErrors {
 public:
  QuietErrors();
  ~QuietErrors();
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  unsigned is_v2_ = 1;
  H5E_auto2_t handler_ = nullptr;
#ifndef H5_NO_DEPRECATED_SYMBOLS
  H5E_auto1_t old_handler_ = nullptr;
#endif
  void* data_ = nullptr;
};

// Returns `what` and the innermost messages of HDF5's error stack, which is cleared. Code::unsupported
// instead of `code` if a filter is missing.
Status library_failure(Code code, const std::string& what);

}  // namespace scorpio::format::hdf5
