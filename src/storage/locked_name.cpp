#include "storage/locked_name.h"

#include <thread>

namespace scorpio::storage {
namespace {

Status lock(StoredFile& file, const Patience& patience) {
  Status status = file.lock_exclusive();
  for (int i = 1; i < patience.locks && status.code() == Code::busy; ++i) {
    std::this_thread::sleep_for(patience.pause);
    status = file.lock_exclusive();
  }
  return status;
}

}  // namespace

Result<bool> lock_name(Store& store, StoredFile& file, const std::string& name, bool made,
                       const Patience& patience) {
  const Status locked = lock(file, patience);
  if (locked.code() == Code::busy) return locked;  // who has it uses the file, whoever made it
  const Result<bool> there = locked.ok() ? file.is_at(name) : Result<bool>(locked);
  if (!there.ok() && made) return first_failure(there.status(), store.remove(name));
  return there;
}

bool is_locked_elsewhere(Store& store, const std::string& name) {
  const Result<bool> there = store.exists(name);
  if (!there.ok() || !*there) return false;
  const auto file = store.open(name, OpenMode::read);
  if (!file.ok()) return false;
  const Result<bool> locked = (*file)->is_locked_by_other();
  (void)(*file)->close();
  return locked.ok() && *locked;
}

Status being_written(const std::string& path, const std::string& held) {
  return failure(
      Code::busy,
      "{} is being written by another run, or through another handle of this one{}{}; wait for that run to "
      "end, close that handle, call scorpio_iosystem_wait where its close was posted through another I/O "
      "system, or choose another name",
      path, held.empty() ? "" : ", which holds ", held);
}

}  // namespace scorpio::storage
