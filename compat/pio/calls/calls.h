// The common part of all public functions: looks up ids, catches exceptions, and passes a failure to the
// error handler. One thread.
#pragma once

#include <utility>

#include "pio/base/guarded.h"
#include "pio/calls/registry.h"
#include "pio/system/io_systems.h"

namespace scorpio_pio {

// Does what the handler requires; returns `code`. `system`: NULL if it is not known; `function`: the value of
// __func__.
int handled(const IoSystem* system, const char* function, int code);
int handled_of_file(int ncid, const char* function, int code);

int no_such_file(int ncid);
int no_such_system(int iosysid);

// The I/O system of the file, or, if the id is unknown, the one that is meant where there is only one. NULL.
std::shared_ptr<IoSystem> system_meant(int ncid);
// Keeps a failure of this rank for the others, with the file that the next collective call probably is on.
void remember(const IoSystem* system, int code);

// Local. A failure is passed to no handler and to no other rank.
template <typename Body>
int inquiry(int ncid, Body&& body) {
  return guarded([&] {
    const auto file = Registry::instance().file(ncid);
    return file == nullptr ? no_such_file(ncid) : body(*file);
  });
}

// Local: definitions and writes. All ranks return a failure from the next collective call on the file; it is
// passed to no handler.
template <typename Body>
int remembered_call(int ncid, Body&& body) {
  const auto file = Registry::instance().file(ncid);
  const int code = guarded([&] { return file == nullptr ? no_such_file(ncid) : body(*file); });
  if (file != nullptr) {
    file->remember(code);
  } else {
    remember(system_meant(ncid).get(), code);
  }
  return code;
}

// The same. A failure is passed to the handler.
template <typename Body>
int local_call(const char* function, int ncid, Body&& body) {
  return handled_of_file(ncid, function, remembered_call(ncid, std::forward<Body>(body)));
}

// Local. A failure is passed to the handler.
template <typename Body>
int checked_inquiry(const char* function, int ncid, Body&& body) {
  return handled_of_file(ncid, function, inquiry(ncid, std::forward<Body>(body)));
}

// Collective: the lowest code of all ranks. For calls that have a communicator and no I/O system.
int agreed(int code, MPI_Comm comm);

// Collective: the part of a rank that passes a wrong id to a call that the other ranks make correctly. If the
// I/O system cannot be determined from the id, and there is only one, that one is used.
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
  const auto system = IoSystems::instance().find(iosysid);
  const int code = guarded([&] { return system == nullptr ? stand_in_for_system(iosysid) : body(*system); });
  return handled(system.get(), function, code);
}

// Local: an inquiry.
template <typename Body>
int system_call(const char* function, int iosysid, Body&& body) {
  const auto system = IoSystems::instance().find(iosysid);
  const int code = guarded([&] { return system == nullptr ? no_such_system(iosysid) : body(*system); });
  return handled(system.get(), function, code);
}

// Local: a change. All ranks return a failure from the next collective call on a file.
template <typename Body>
int setting(const char* function, int iosysid, Body&& body) {
  const int code = guarded([&] {
    const auto system = IoSystems::instance().find(iosysid);
    return system == nullptr ? no_such_system(iosysid) : body(*system);
  });
  const auto system = IoSystems::instance().find(iosysid);
  remember(system != nullptr ? system.get() : IoSystems::instance().stand_in().get(), code);
  return handled(system.get(), function, code);
}

}  // namespace scorpio_pio
