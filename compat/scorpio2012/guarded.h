// The common part of all public functions: catches exceptions, and keeps the reason of a failure. Local.
#pragma once

#include <exception>

#include "failure.h"

namespace scorpio2012 {

// `name` is that of the public function. Only failed allocations reach the handler.
template <typename Body>
auto guarded(const char* name, Body&& body) -> decltype(body()) {
  decltype(body()) code = k_failure;
  begin_call(name);
  try {
    code = body();
  } catch (const std::exception& error) {
    code = fail(std::string("unexpected: ") + error.what());
  }
  end_call(code);
  return code;
}

}  // namespace scorpio2012
