// Calls that must return a status in every case, because other ranks wait for the steps that follow. Local.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "base/status.h"

namespace scorpio {

// Made at the start of the program, so that the failure of an allocation needs no allocation.
const Status& out_of_memory();
// The same for a failure with any code, whose text there is no memory for.
const Status& failure_without_text(Code code);

// Returns the result of `body`, or the failure for its exception.
template <typename Body>
Status guarded(Body&& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& e) {
    try {
      return failure(Code::internal, "unexpected exception: {}", e.what());
    } catch (const std::bad_alloc&) {
      return out_of_memory();
    }
  }
}

// Empty if there is no memory for it.
inline void assign_if_possible(const std::string& text, std::string& to) noexcept {
  const Status assigned = guarded([&] {
    to = text;
    return Status();
  });
  if (!assigned.ok()) to.clear();
}

}  // namespace scorpio
