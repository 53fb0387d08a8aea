// Calls that must give a status whatever happens, because others wait for what comes after them. Local.
#pragma once

#include <exception>
#include <new>

#include "base/status.h"

namespace scorpio {

// Made at the start of the program: to say that there is no memory takes none.
const Status& out_of_memory();

// What `body` returns; the failure that its exception means.
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

}  // namespace scorpio
