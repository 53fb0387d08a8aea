// What every public function does around the library: no exception leaves it, and the reason of a failure is
// kept. Local.
#pragma once

#include <exception>

#include "failure.h"

namespace scorpio2012 {

// `name`: of the public function. Only memory that cannot be had ends up in the handler.
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
