// What every public function does around its work: ids are looked up, no exception leaves it, and a failure
// goes to the error handler. One thread.
#pragma once

#include <exception>
#include <new>
#include <utility>

#include "failure.h"
#include "registry.h"

namespace scorpio_pio {

// Acts as the handler asks; returns `code`. `system`: NULL where none is known; `function`: the value of
// __func__.
int handled(const IoSystem* system, const char* function, int code);
int handled_of_file(int ncid, const char* function, int code);

int no_such_file(int ncid);
int no_such_system(int iosysid);

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

// Local. No handler acts on the failure, and other ranks do not hear of it.
template <typename Body>
int inquiry(int ncid, Body&& body) {
  return guarded([&] {
    const auto file = Registry::instance().file(ncid);
    return file == nullptr ? no_such_file(ncid) : body(*file);
  });
}

// Local: definitions and writes. The other ranks hear of a failure in the next collective call on the file.
template <typename Body>
int local_call(const char* function, int ncid, Body&& body) {
  const auto file = Registry::instance().file(ncid);
  const int code = guarded([&] { return file == nullptr ? no_such_file(ncid) : body(*file); });
  if (file != nullptr) file->remember(code);
  return handled_of_file(ncid, function, code);
}

// Local, but a handler acts on the failure.
template <typename Body>
int checked_inquiry(const char* function, int ncid, Body&& body) {
  return handled_of_file(ncid, function, inquiry(ncid, std::forward<Body>(body)));
}

// Collective: the part of a rank with a wrong id in the call that the others make. Where the id tells nothing
// it is taken to be on the only I/O system.
int stand_in_for_file(int ncid, Call call);
int stand_in_for_system(int iosysid);

// Collective over the I/O system of the file; `body` returns the same code on all ranks.
template <typename Body>
int collective_call(const char* function, int ncid, Call call, Body&& body) {
  const int code = guarded([&] {
    const auto file = Registry::instance().file(ncid);
    return file == nullptr ? stand_in_for_file(ncid, call) : body(*file);
  });
  return handled_of_file(ncid, function, code);
}

// Collective over the I/O system; `body` begins with IoSystem::agree().
template <typename Body>
int collective_system_call(const char* function, int iosysid, Body&& body) {
  const auto system = Registry::instance().system(iosysid);
  const int code = guarded([&] { return system == nullptr ? stand_in_for_system(iosysid) : body(*system); });
  return handled(system.get(), function, code);
}

// Local.
template <typename Body>
int system_call(const char* function, int iosysid, Body&& body) {
  const auto system = Registry::instance().system(iosysid);
  const int code = guarded([&] { return system == nullptr ? no_such_system(iosysid) : body(*system); });
  return handled(system.get(), function, code);
}

}  // namespace scorpio_pio
