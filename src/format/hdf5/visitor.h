// Functions that HDF5 calls. Exceptions must not pass through HDF5, which would keep what it has opened and
// entered. Local.
#pragma once

#include <hdf5.h>

#include <exception>
#include <utility>

namespace scorpio::format::hdf5 {

// The exception of a function that HDF5 has called, for the time after HDF5 has returned.
class VisitorException {
 public:
  // Returns the result of `visit`, or -1 after an exception, with which HDF5 ends its own function.
  template <typename Visit>
  herr_t keep(Visit&& visit) noexcept {
    try {
      return visit();
    } catch (...) {
      thrown_ = std::current_exception();
      return -1;
    }
  }
  void rethrow() {
    if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

 private:
  std::exception_ptr thrown_;
};

}  // namespace scorpio::format::hdf5
