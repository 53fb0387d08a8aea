// Names that belong to one run at a time: the file of the name is created or opened, and locked; only then
// does the run look whether the file still has the name, because others may have renamed or removed it in
// between. On a file system without locks each run gets the lock. Independent.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "storage/store.h"

namespace scorpio::storage {

// How often a run tries again when others have the name.
struct Patience {
  int names = 16;                      // the file was renamed or removed between two calls
  int locks = 1;                       // another run has the lock
  std::chrono::milliseconds pause{0};  // between two attempts to get the lock
};
// Whoever has the lock writes.
inline constexpr Patience k_not_waiting{};
// Runs that look whether the file is in use have the lock for a moment.
inline constexpr Patience k_usual_patience{.names = 16, .locks = 16, .pause = std::chrono::milliseconds{2}};
// A program that has written its data must not fail because many runs look at the file.
inline constexpr Patience k_long_patience{.names = 400, .locks = 400, .pause = std::chrono::milliseconds{5}};

// Locks a file that was opened or, if it is `made`, created under `name`. Returns whether it still has the
// name. Code::busy: another run has the lock. After another failure a file that was made is removed.
Result<bool> lock_name(Store& store, StoredFile& file, const std::string& name, bool made,
                       const Patience& patience);

// Whether there is a file of this name of which another run has the lock. Nothing is known of a file that
// cannot be opened for reading.
bool is_locked_elsewhere(Store& store, const std::string& name);

// Calls attempt(), which returns a Result of a pointer to a file, until it returns a file. Null: others had
// renamed or removed it each time.
template <typename Attempt>
auto until_there(const Patience& patience, Attempt&& attempt) {
  auto file = attempt();
  for (int i = 1; i < patience.names && file.ok() && *file == nullptr; ++i) file = attempt();
  return file;
}

// Code::busy with the text for the user. `held`: what the other run holds, if that is not `path` itself.
Status being_written(const std::string& path, const std::string& held = {});

}  // namespace scorpio::storage
