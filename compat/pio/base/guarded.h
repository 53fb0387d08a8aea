// Turns exceptions into codes: a rank without memory still makes the calls that other ranks wait for. Local.
#pragma once

#include <exception>
#include <new>

#include "pio/base/failure.h"

namespace scorpio_pio {

template <typename Body>
int guarded(Body&& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return fail(PIO_ENOMEM, "there is no more memory");
  } catch (const std::exception& error) {
    return fail(PIO_EINTERNAL, "unexpected: ", error.what());
  }
}

}  // namespace scorpio_pio
