// The common part of all public functions: looks up ids, catches exceptions, and tells who is to know of a
// failure. One thread.
//
// | function               | id of  | is                | handler | other ranks return a failure |
// |------------------------|--------|-------------------|---------|------------------------------|
// | file_inquiry           | file   | Local, an inquiry | no      | never                        |
// | handled_file_inquiry   | file   | Local, an inquiry | yes     | never                        |
// | quiet_file_change      | file   | Local             | no      | by the next call on the file |
// | file_change            | file   | Local             | yes     | by the next call on the file |
// | collective_file_call   | file   | Collective        | yes     | at once                      |
// | system_inquiry         | system | Local, an inquiry | yes     | never                        |
// | system_setting         | system | Local             | yes     | by the next call on a file   |
// | collective_system_call | system | Collective        | yes     | at once                      |
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

template <typename Body>
int file_inquiry(int ncid, Body&& body) {
  return guarded([&] {
    const auto file = Registry::instance().file(ncid);
    return file == nullptr ? no_such_file(ncid) : body(*file);
  });
}

template <typename Body>
int quiet_file_change(int ncid, Body&& body) {
  const auto file = Registry::instance().file(ncid);
  const int code = guarded([&] { return file == nullptr ? no_such_file(ncid) : body(*file); });
  if (file != nullptr) {
    file->remember(code);
  } else {
    remember(system_meant(ncid).get(), code);
  }
  return code;
}

template <typename Body>
int file_change(const char* function, int ncid, Body&& body) {
  return handled_of_file(ncid, function, quiet_file_change(ncid, std::forward<Body>(body)));
}

template <typename Body>
int handled_file_inquiry(const char* function, int ncid, Body&& body) {
  return handled_of_file(ncid, function, file_inquiry(ncid, std::forward<Body>(body)));
}

// Collective: the lowest code of all ranks. For calls that have a communicator and no I/O system.
int agreed(int code, MPI_Comm comm);

// Collective: the part of a rank that passes a wrong id to a call that the other ranks make correctly. If the
// I/O system cannot be determined from the id, and there is only one, that one is used.
int stand_in_for_file(int ncid, Call call);
int stand_in_for_system(int iosysid);

// `body` returns the same code on all ranks.
template <typename Body>
int collective_file_call(const char* function, int ncid, Call call, Body&& body) {
  const int code = guarded([&] {
    const auto file = Registry::instance().file(ncid);
    return file == nullptr ? stand_in_for_file(ncid, call) : body(*file);
  });
  return handled_of_file(ncid, function, code);
}

// `body` begins with IoSystem::agree().
template <typename Body>
int collective_system_call(const char* function, int iosysid, Body&& body) {
  const auto system = IoSystems::instance().find(iosysid);
  const int code = guarded([&] { return system == nullptr ? stand_in_for_system(iosysid) : body(*system); });
  return handled(system.get(), function, code);
}

template <typename Body>
int system_inquiry(const char* function, int iosysid, Body&& body) {
  const auto system = IoSystems::instance().find(iosysid);
  const int code = guarded([&] { return system == nullptr ? no_such_system(iosysid) : body(*system); });
  return handled(system.get(), function, code);
}

template <typename Body>
int system_setting(const char* function, int iosysid, Body&& body) {
  const int code = guarded([&] {
    const auto system = IoSystems::instance().find(iosysid);
    return system == nullptr ? no_such_system(iosysid) : body(*system);
  });
  const auto system = IoSystems::instance().find(iosysid);
  remember(system != nullptr ? system.get() : IoSystems::instance().stand_in().get(), code);
  return handled(system.get(), function, code);
}

}  // namespace scorpio_pio
